import { HypervisorError } from '../errors'

// A uuid has 16 bytes on the wire and 36 characters everywhere else.

export const uuidText = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export function uuidBytes(uuid: string): Uint8Array {
  const hex = uuid.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/i.test(hex)) throw new HypervisorError('refused', `"${uuid}" is not a UUID`)
  return Uint8Array.from(Buffer.from(hex, 'hex'))
}
