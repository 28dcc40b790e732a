import { int32, struct, uint32 } from '@stellar/js-xdr'

// Messages on the wire: four bytes of length that count themselves, a header of 24, a payload. Source:
// src/rpc/virnetprotocol.x, "RPC wire format".

export interface Frame {
  readonly program: number
  readonly version: number
  readonly procedure: number
  readonly type: number
  readonly serial: number
  readonly status: number
  readonly payload: Uint8Array
}

export const MESSAGE_TYPE = { call: 0, reply: 1, message: 2 } as const // enum virNetMessageType
export const MESSAGE_STATUS = { ok: 0, error: 1 } as const // enum virNetMessageStatus

const LENGTH_BYTES = 4 // VIR_NET_MESSAGE_LEN_MAX
const HEADER_BYTES = 24 // VIR_NET_MESSAGE_HEADER_MAX
/** VIR_NET_MESSAGE_MAX and its length word: a peer that announces more is not libvirt, and is not waited for. */
const FRAME_MAX_BYTES = 33_554_432 + LENGTH_BYTES

const header = struct('virNetMessageHeader', {
  program: uint32(),
  version: uint32(),
  procedure: int32(),
  type: int32(),
  serial: uint32(),
  status: int32(),
})

export function encodeFrame({ payload, ...head }: Frame): Buffer {
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + HEADER_BYTES + payload.length)
  frame.writeUInt32BE(frame.length)
  frame.set(header.encode(head), LENGTH_BYTES)
  frame.set(payload, LENGTH_BYTES + HEADER_BYTES)
  return frame
}

/**
 * Splits a stream of bytes into frames, however it arrives. Throws for a length that no frame of libvirt has; the
 * stream is then unusable. Bytes of a frame are joined once, so that a large one costs no more than its size.
 */
export function frameReader(): (chunk: Uint8Array) => readonly Frame[] {
  let parts: Uint8Array[] = []
  let held = 0
  let wanted = LENGTH_BYTES
  return (chunk) => {
    parts.push(chunk)
    held += chunk.length
    const frames: Frame[] = []
    while (held >= wanted) {
      const bytes = Buffer.concat(parts)
      const length = bytes.readUInt32BE()
      if (length < LENGTH_BYTES + HEADER_BYTES || length > FRAME_MAX_BYTES)
        throw new Error(`a message of ${length} bytes is not libvirt's`)
      wanted = length
      const rest = bytes.length >= length ? bytes.subarray(length) : bytes
      if (bytes.length >= length) {
        frames.push(frameOf(bytes.subarray(LENGTH_BYTES, length)))
        wanted = LENGTH_BYTES
      }
      parts = [rest]
      held = rest.length
    }
    return frames
  }
}

const frameOf = (bytes: Uint8Array): Frame => ({
  ...header.decode(bytes.subarray(0, HEADER_BYTES)),
  payload: bytes.subarray(HEADER_BYTES),
})
