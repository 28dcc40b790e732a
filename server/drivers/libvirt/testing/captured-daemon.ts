import net from 'node:net'
import type { Domain, NodeDevice } from '../connection'
import { encodeFrame, type Frame, frameReader, MESSAGE_STATUS, MESSAGE_TYPE } from '../rpc/frames'
import { PROCEDURES, type Procedure, REMOTE_PROGRAM, remoteError } from '../rpc/protocol'
import { uuidBytes, uuidText } from '../rpc/uuid'

// A daemon on its own socket that answers reads of a host from a capture. It refuses every change, as a real daemon
// does over a read-only connection.

export interface CapturedHost {
  readonly hostname: string
  readonly capabilities: string
  readonly nodeDevices: readonly NodeDevice[]
  readonly domains: readonly Domain[]
}

/** Its behaviour; `silent` accepts the connection and never answers, `slow` waits before each answer. */
export type DaemonManner = 'healthy' | 'silent' | 'closing' | 'garbage' | { readonly slowMs: number }

export interface CapturedDaemon {
  /** Sets the capture that it answers from. */
  host: CapturedHost
  manner: DaemonManner
  /** Connections that are open. */
  readonly open: () => number
  /** Numbers of requested procedures that it does not answer. */
  readonly refused: readonly number[]
  /** Calls of all connections that wait for a slow answer. */
  waiting: number
  /** The most calls that a connection had waiting for a slow answer. */
  mostWaiting: number
  close(): Promise<void>
}

export async function startCapturedDaemon(host: CapturedHost, socketPath: string): Promise<CapturedDaemon> {
  const sockets = new Set<net.Socket>()
  const refused: number[] = []
  const daemon: CapturedDaemon = {
    ...{ host, manner: 'healthy', refused, waiting: 0, mostWaiting: 0 },
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    serve(socket, daemon, refused)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socketPath, resolve))
  return daemon
}

function serve(socket: net.Socket, daemon: CapturedDaemon, refused: number[]): void {
  const read = frameReader()
  let waiting = 0
  const answer = (frame: Frame) => {
    const reply = replyTo(frame, daemon.host)
    if (reply === null) refused.push(frame.procedure)
    const [status, payload] = reply === null ? [MESSAGE_STATUS.error, REFUSAL] : [MESSAGE_STATUS.ok, reply]
    if (!socket.destroyed) socket.write(encodeFrame({ ...frame, type: MESSAGE_TYPE.reply, status, payload }))
  }
  socket.on('data', (chunk) => {
    const { manner } = daemon
    if (manner === 'silent') return
    if (manner === 'closing') socket.destroy()
    else if (manner === 'garbage') socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
    else answerAll(chunk, manner)
  })
  const answerAll = (chunk: Buffer, manner: 'healthy' | { readonly slowMs: number }) => {
    for (const frame of read(chunk)) {
      if (frame.program !== REMOTE_PROGRAM) continue
      if (manner === 'healthy') answer(frame)
      else {
        daemon.waiting++
        daemon.mostWaiting = Math.max(daemon.mostWaiting, ++waiting)
        setTimeout(() => {
          daemon.waiting--
          waiting--
          answer(frame)
        }, manner.slowMs)
      }
    }
  }
}

const OPERATION_DENIED = 29
const REFUSAL = remoteError.encode({
  ...{ code: OPERATION_DENIED, domain: 7, message: 'operation forbidden for read only access', level: 2, dom: null },
  ...{ str1: null, str2: null, str3: null, int1: -1, int2: -1, net: null },
})

const LIBVIRT_9 = 9_000_000n
const QEMU_7_2 = 7_002_022n
/** Index of a state in libvirt's list, and of the reasons `booted` and `unknown` in theirs. */
const STATES = { running: { state: 1, reason: 1 }, off: { state: 5, reason: 0 } } as const

/** Null for a call that changes something, and for one that the capture lacks. */
function replyTo({ procedure, payload }: Frame, host: CapturedHost): Uint8Array | null {
  const P = PROCEDURES
  const is = <A, R>(which: Procedure<A, R>, reply: (args: A) => R | null): Uint8Array | null | undefined => {
    if (which.number !== procedure) return undefined
    const answer = reply(which.args.decode(payload))
    return answer === null ? null : which.reply.encode(answer)
  }
  const domainOf = (uuid: Uint8Array) => host.domains.find((domain) => domain.uuid === uuidText(uuid)) ?? null
  const answers = [
    is(P.authList, () => ({ types: [] })),
    is(P.connectOpen, () => undefined),
    is(P.connectClose, () => undefined),
    is(P.connectSupportsFeature, () => ({ supported: 0 })),
    is(P.connectGetLibVersion, () => ({ libVersion: LIBVIRT_9 })),
    is(P.connectGetVersion, () => ({ hvVersion: QEMU_7_2 })),
    is(P.connectGetHostname, () => ({ hostname: host.hostname })),
    is(P.connectGetCapabilities, () => ({ capabilities: host.capabilities })),
    is(P.connectListAllNodeDevices, () => ({
      devices: host.nodeDevices.map(({ name }) => ({ name })),
      ret: host.nodeDevices.length,
    })),
    is(P.nodeDeviceGetXmlDesc, ({ name }) => host.nodeDevices.find((device) => device.name === name) ?? null),
    is(P.connectListAllDomains, () => ({
      domains: host.domains.map(({ name, uuid }, id) => ({ name, uuid: uuidBytes(uuid), id })),
      ret: host.domains.length,
    })),
    is(P.domainGetState, ({ dom }) => {
      const domain = domainOf(dom.uuid)
      return domain && (domain.state === 'running' ? STATES.running : STATES.off)
    }),
    is(P.domainGetXmlDesc, ({ dom }) => domainOf(dom.uuid)),
    is(P.domainLookupByUuid, ({ uuid }) => {
      const domain = domainOf(uuid)
      return domain && { dom: { name: domain.name, uuid, id: 1 } }
    }),
    is(P.nodeGetFreePages, () => ({ counts: [0n] })),
    is(P.domainGetJobStats, () => ({ type: 0, params: [] })), // no job
  ]
  return answers.find((answer) => answer !== undefined) ?? null
}
