import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type CloudSettings, readCloud } from './cloud-settings'
import { type ReadResult, readClouds, type SettingsFile, wrong } from './clouds-file'
import type { Environment } from './server-file'

// Finds clouds.yaml, secure.yaml and clouds-public.yaml as openstacksdk does: the first existing file counts.

export interface FileChoice {
  readonly cloud: string | null
  readonly region: string | null
  /** An explicitly named clouds.yaml; its secure.yaml is then the one beside it. */
  readonly file: string | null
  readonly secure: string | null
}

export async function loadCloud(choice: FileChoice, environment: Environment): Promise<ReadResult<CloudSettings>> {
  const named = choice.file ?? environment.OS_CLIENT_CONFIG_FILE ?? null
  const clouds = await firstOf(named === null ? placesOf('clouds') : [named])
  if (clouds === null) {
    const what = named === null ? `there is none in ${placesOf('clouds').join(', ')}` : 'it cannot be read'
    return wrong({ file: named ?? 'clouds.yaml', key: '', what, fix: 'name the file with --file' })
  }
  const namedSecure = choice.secure ?? environment.OS_CLIENT_SECURE_FILE ?? null
  const beside = named === null ? placesOf('secure') : [join(dirname(clouds.path), 'secure.yaml')]
  const secure = await firstOf(namedSecure === null ? beside : [namedSecure])
  if (namedSecure !== null && secure === null)
    return wrong({ file: namedSecure, key: '', what: 'it cannot be read', fix: 'check the path and who may read it' })
  const read = readClouds({ clouds, secure, profiles: await firstOf(placesOf('clouds-public')) })
  if (!read.ok) return read
  const { cloud: name, region } = choice
  return readCloud(read.value, { name: name ?? environment.OS_CLOUD ?? null, region, file: clouds.path })
}

const placesOf = (name: string): readonly string[] =>
  ['.', join(homedir(), '.config', 'openstack'), '/etc/openstack'].flatMap((folder) => [
    join(folder, `${name}.yaml`),
    join(folder, `${name}.yml`),
  ])

async function firstOf(paths: readonly string[]): Promise<SettingsFile | null> {
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text !== null) return { path, text }
  }
  return null
}
