import type { Duplex } from 'node:stream'
import { withDeadline } from '../deadline'
import { HypervisorError, libvirtError } from '../errors'
import { encodeFrame, type Frame, frameReader, MESSAGE_STATUS, MESSAGE_TYPE } from './frames'
import {
  KEEPALIVE_PING,
  KEEPALIVE_PONG,
  KEEPALIVE_PROGRAM,
  KEEPALIVE_VERSION,
  type Procedure,
  REMOTE_PROGRAM,
  REMOTE_VERSION,
  remoteError,
} from './protocol'

// Calls and answers over one stream. A call that misses its deadline ends the stream: the daemon is then hung or gone,
// and everything else on this stream would wait in vain. Pings of the daemon are answered, and a silent daemon is
// pinged, because otherwise only the next call would find a dead peer.

export interface RpcChannel {
  call<A, R>(procedure: Procedure<A, R>, args: A, limit?: CallLimit): Promise<R>
  /** Pings the daemon from now on. Only a daemon that knows the keepalive program may be pinged. */
  keepAlive(): void
  close(): void
  /** Resolves once the stream has ended: null when it was closed here. */
  readonly ended: Promise<Error | null>
}

/** Null: answered when the work is done. Only pings then show whether the daemon is alive. */
export interface CallLimit {
  readonly limitMs: number | null
}

export interface ChannelOptions {
  readonly callLimitMs: number
  readonly pingEveryMs: number
  /** Frames of the remote program that answer no call. */
  readonly onMessage: (frame: Frame) => void
}

const PINGS_UNANSWERED = 3

interface PendingCall {
  readonly accept: (frame: Frame) => void
  readonly reject: (why: Error) => void
}

export function rpcChannel(stream: Duplex, options: ChannelOptions): RpcChannel {
  const waiting = new Map<number, PendingCall>()
  const framesOf = frameReader()
  let serial = 0
  let silentFor = 0 // pings sent since the last frame
  let pinging: NodeJS.Timeout | undefined
  let end: { readonly why: Error | null } | null = null
  let resolveEnded: (why: Error | null) => void
  const ended = new Promise<Error | null>((resolve) => {
    resolveEnded = resolve
  })

  const finish = (why: Error | null) => {
    if (end) return
    end = { why }
    clearInterval(pinging)
    stream.destroy()
    const lost = why ?? new HypervisorError('closed', 'the connection was closed')
    for (const { reject } of waiting.values()) reject(lost)
    waiting.clear()
    resolveEnded(why)
  }
  const send = (frame: Frame) => {
    stream.write(encodeFrame(frame))
  }
  const hear = (frame: Frame) => {
    if (frame.program === KEEPALIVE_PROGRAM) {
      if (frame.procedure === KEEPALIVE_PING) send(keepaliveFrame(KEEPALIVE_PONG))
    } else if (frame.program === REMOTE_PROGRAM && frame.type === MESSAGE_TYPE.reply) {
      waiting.get(frame.serial)?.accept(frame)
    } else if (frame.program === REMOTE_PROGRAM && frame.type === MESSAGE_TYPE.message) {
      options.onMessage(frame)
    }
  }
  stream.on('data', (chunk: Buffer) => {
    silentFor = 0
    try {
      for (const frame of framesOf(chunk)) hear(frame)
    } catch (error) {
      finish(new HypervisorError('protocol', (error as Error).message))
    }
  })
  stream.on('error', (error) => finish(asFault(error)))
  stream.on('close', () => finish(new HypervisorError('closed', 'the daemon ended the connection')))

  const call = async <A, R>(procedure: Procedure<A, R>, args: A, limit?: CallLimit): Promise<R> => {
    if (end) throw end.why ?? new HypervisorError('closed', 'the connection was closed')
    const own = ++serial
    const sent = callFrame(procedure.number, own, encoded(procedure, args))
    const answered = new Promise<Frame>((accept, reject) => waiting.set(own, { accept, reject }))
    send(sent)
    try {
      const limitMs = limit ? limit.limitMs : options.callLimitMs
      return readReply(procedure, await (limitMs === null ? answered : withDeadline(answered, limitMs, finish)))
    } finally {
      waiting.delete(own)
    }
  }
  const keepAlive = () => {
    if (end || pinging) return
    pinging = setInterval(() => {
      if (silentFor >= PINGS_UNANSWERED)
        return finish(new HypervisorError('timed-out', `the daemon was silent for ${silentFor} pings`))
      silentFor += 1
      send(keepaliveFrame(KEEPALIVE_PING))
    }, options.pingEveryMs)
    pinging.unref()
  }
  return { call, keepAlive, close: () => finish(null), ended }
}

const asFault = (error: Error): HypervisorError =>
  error instanceof HypervisorError ? error : new HypervisorError('closed', error.message)

/** Before the call is waited for. A number that a host reported may exceed what the protocol takes. */
function encoded<A, R>(procedure: Procedure<A, R>, args: A): Uint8Array {
  try {
    return procedure.args.encode(args)
  } catch (error) {
    throw new HypervisorError('refused', `libvirt takes no such call: ${(error as Error).message}`)
  }
}

function readReply<A, R>({ number, reply }: Procedure<A, R>, frame: Frame): R {
  try {
    if (frame.procedure !== number) throw new Error(`procedure ${number} was answered as ${frame.procedure}`)
    if (frame.status === MESSAGE_STATUS.ok) return reply.decode(frame.payload)
    const { code, message } = remoteError.decode(frame.payload)
    throw libvirtError(code, message)
  } catch (error) {
    if (error instanceof HypervisorError) throw error
    throw new HypervisorError('protocol', (error as Error).message)
  }
}

const callFrame = (procedure: number, serial: number, payload: Uint8Array): Frame => ({
  program: REMOTE_PROGRAM,
  version: REMOTE_VERSION,
  procedure,
  type: MESSAGE_TYPE.call,
  serial,
  status: MESSAGE_STATUS.ok,
  payload,
})

const keepaliveFrame = (procedure: number): Frame => ({
  program: KEEPALIVE_PROGRAM,
  version: KEEPALIVE_VERSION,
  procedure,
  type: MESSAGE_TYPE.message,
  serial: 0,
  status: MESSAGE_STATUS.ok,
  payload: new Uint8Array(),
})
