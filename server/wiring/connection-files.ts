import type { Stats } from 'node:fs'
import fs from 'node:fs/promises'
import path from 'node:path'
import type { DaemonAddress } from '@/forms/connection'
import type { ConnectionFiles } from '../api/connection/connections'

// Which sockets, certificates and keys a connection set up in a browser may name: those in the folders of
// LIBVIRT_PATHS. Their contents are never accepted from a browser nor shown in one. A link that leads out of the
// folders counts as outside, wherever it is.

const DEFAULT_FOLDERS = ['/run/libvirt', '/etc/pki/berth']
const PKI_FILES = ['cacert.pem', 'clientcert.pem', 'clientkey.pem']
const LISTED_MAX = 200

export function connectionFolders({ LIBVIRT_PATHS, XDG_RUNTIME_DIR }: NodeJS.ProcessEnv): readonly string[] {
  if (LIBVIRT_PATHS) return LIBVIRT_PATHS.split(path.delimiter).filter((folder) => path.isAbsolute(folder))
  return [...DEFAULT_FOLDERS, ...(XDG_RUNTIME_DIR ? [path.join(XDG_RUNTIME_DIR, 'libvirt')] : [])]
}

/** Null when it may be named; otherwise the reason. */
export async function fileNameProblem(
  { transport }: DaemonAddress,
  folders: readonly string[],
): Promise<string | null> {
  switch (transport.kind) {
    case 'unix':
      return whyNotIn(transport.socketPath, { folders, is: (stats) => stats.isSocket(), what: 'a socket' })
    case 'ssh':
      if (transport.keyPath === null) return null
      return whyNotIn(transport.keyPath, { folders, is: (stats) => stats.isFile(), what: 'a file' })
    case 'tls': {
      const files = PKI_FILES.map((name) => path.join(transport.pkiPath, name))
      const answers = await Promise.all(
        files.map((file) => whyNotIn(file, { folders, is: (stats) => stats.isFile(), what: 'a file' })),
      )
      return answers.find((why) => why !== null) ?? null
    }
    default:
      return transport satisfies never
  }
}

interface FileRequirement {
  readonly folders: readonly string[]
  readonly is: (stats: Stats) => boolean
  readonly what: string
}

async function whyNotIn(file: string, { folders, is, what }: FileRequirement): Promise<string | null> {
  const outside = `${file} is in none of the folders ${folders.join(', ')}`
  const places = await Promise.all(folders.map((folder) => fs.realpath(folder).catch(() => null)))
  // Paths outside are not even checked: whether they exist must not be disclosed here.
  if (!folders.some((folder) => isInside(file, folder))) return outside
  const real = await fs.realpath(file).catch((error: NodeJS.ErrnoException) => error)
  if (real instanceof Error)
    return `${file} cannot be read: ${real.code === 'ENOENT' ? 'it does not exist' : real.code}`
  if (!places.some((place) => place !== null && isInside(real, place))) return outside
  return is(await fs.stat(real)) ? null : `${file} is not ${what}`
}

function isInside(file: string, folder: string): boolean {
  const way = path.relative(folder, file)
  return way !== '' && way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way)
}

/** The form's suggestions: files in the folders and their direct subfolders. */
export async function filesIn(folders: readonly string[]): Promise<ConnectionFiles> {
  const found = { sockets: new Set<string>(), pkiPaths: new Set<string>(), keyPaths: new Set<string>() }
  const search = async (folder: string, deep: boolean): Promise<void> => {
    const entries = await fs.readdir(folder, { withFileTypes: true }).catch(() => [])
    const names = new Set(entries.map(({ name }) => name))
    if (PKI_FILES.every((name) => names.has(name))) found.pkiPaths.add(folder)
    for (const entry of entries.slice(0, LISTED_MAX)) {
      const file = path.join(folder, entry.name)
      if (entry.isSocket()) found.sockets.add(file)
      // The public half is beside the key.
      else if (entry.isFile() && names.has(`${entry.name}.pub`)) found.keyPaths.add(file)
      else if (deep && entry.isDirectory()) await search(file, false)
    }
  }
  for (const folder of folders) await search(folder, true)
  const sorted = (files: ReadonlySet<string>) => [...files].sort().slice(0, LISTED_MAX)
  return {
    sockets: sorted(found.sockets),
    pkiPaths: sorted(found.pkiPaths),
    keyPaths: sorted(found.keyPaths),
    folders,
  }
}
