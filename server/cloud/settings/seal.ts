import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Secret } from './secret'

// Secrets at rest: AES-256-GCM, with what they belong to as additional data. A secret copied beside other settings,
// such as another sign-in address, cannot be decrypted.

const ALGORITHM = 'aes-256-gcm'
export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export type SealKey = Buffer & { readonly __sealKey?: never }

export function seal(key: SealKey, secret: Secret, boundTo: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(boundTo))
  const body = Buffer.concat([cipher.update(secret.reveal(), 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body])
}

/** Null: another key, other settings, or modified. */
export function unseal(key: SealKey, sealed: Buffer, boundTo: string): Secret | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
  try {
    const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(boundTo)).setAuthTag(tag)
    const body = sealed.subarray(NONCE_BYTES + TAG_BYTES)
    return new Secret(Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8'))
  } catch {
    return null
  }
}
