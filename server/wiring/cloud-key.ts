import { randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { KEY_BYTES, type SealKey } from '../cloud/settings/seal'
import { syncFile, syncName } from './sync-file'

// The key that seals the secrets of clouds: BERTH_CLOUD_KEY, or a file readable only by this user. The file is created
// on first use. It is not in the database, so a backup of the database reveals nothing.

const DEFAULT_FILE = path.join(import.meta.dirname, '../../.data/cloud.key')
const ONLY_OWNER = 0o600
const OTHERS = 0o077

/** Throws an error that says what to do when the key cannot be used. */
export async function cloudKey(environment: NodeJS.ProcessEnv): Promise<SealKey> {
  const { BERTH_CLOUD_KEY, BERTH_CLOUD_KEY_FILE } = environment
  if (BERTH_CLOUD_KEY) return keyOf(BERTH_CLOUD_KEY, 'BERTH_CLOUD_KEY')
  const file = BERTH_CLOUD_KEY_FILE || DEFAULT_FILE
  return keyOf((await readKey(file)) ?? (await makeKey(file)), file)
}

function keyOf(text: string, where: string): SealKey {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === KEY_BYTES) return key
  throw new Error(
    `${where} is no key: it must have ${KEY_BYTES} bytes in base64, as from \`openssl rand -base64 ${KEY_BYTES}\`.`,
  )
}

/** Null: there is no such file. */
async function readKey(file: string): Promise<string | null> {
  const handle = await fs.open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (handle === null) return null
  try {
    const { mode } = await handle.stat()
    if ((mode & OTHERS) === 0) return await handle.readFile('utf8')
    throw new Error(`${file} can be read by others than its owner. Run \`chmod 600 ${file}\`.`)
  } finally {
    await handle.close()
  }
}

/**
 * Written to a temporary file and then linked, so that no reader sees half a key; if two processes create it, one wins.
 */
async function makeKey(file: string): Promise<string> {
  await fs.mkdir(path.dirname(file), { recursive: true })
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  await fs.writeFile(own, `${randomBytes(KEY_BYTES).toString('base64')}\n`, { mode: ONLY_OWNER, flag: 'wx' })
  try {
    // Without it, what is sealed with the key is lost.
    syncFile(own)
    await fs.link(own, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    syncName(file)
  } finally {
    await fs.unlink(own)
  }
  return (await readKey(file)) ?? ''
}
