import type { HypervisorAddress } from '../address'
import type { ConnectStep, ConnectWatch } from '../connect'
import {
  byName,
  type Domain,
  type DomainEvent,
  type HypervisorConnection,
  LIFECYCLE_EVENTS,
  type NodeDevice,
  namedResult,
} from '../connection'
import { eachAtMost, withDeadline } from '../deadline'
import { statusOfCodes } from '../domain-status'
import { HypervisorError, LIBVIRT_ERROR, nullIfMissing } from '../errors'
import { jobStatistics, NO_JOB } from '../statistics/job'
import { memoryStatistics } from '../statistics/memory'
import { type RpcChannel, rpcChannel } from './channel'
import type { Frame } from './frames'
import {
  AUTH,
  CONNECT_READ_ONLY,
  EVENTS,
  FEATURE_KEEPALIVE,
  fieldsOf,
  JOB_COMPLETED,
  JOB_KEEP_COMPLETED,
  LIST_PCI_DEVICES,
  PROCEDURES,
  type RemoteDomain,
  STATS_MEMORY,
  XML_INACTIVE,
  XML_MIGRATABLE,
  XML_SECURE,
} from './protocol'
import { rpcControl } from './rpc-control'
import { rpcStorage } from './rpc-storage'
import { openTransport } from './transport'
import { uuidBytes, uuidText } from './uuid'

export interface RpcLimits {
  /** Maximum time from the first byte to an open hypervisor connection. */
  readonly connectMs: number
  readonly callMs: number
  readonly pingEveryMs: number
}

const RPC_LIMITS: RpcLimits = { connectMs: 10_000, callMs: 30_000, pingEveryMs: 5_000 }

const AT_ONCE = 4 // below libvirtd's max_client_requests of 5: a fifth would only wait, with its deadline running

const CLOSE_LIMIT_MS = 2_000 // a daemon that does not close either is abandoned

export interface RpcOptions {
  readonly limits?: RpcLimits
  readonly watch?: ConnectWatch
}

export async function connectRpc(
  address: HypervisorAddress,
  { limits = RPC_LIMITS, watch = {} }: RpcOptions = {},
): Promise<HypervisorConnection> {
  const giveUp = new AbortController()
  const listeners = new Set<(event: DomainEvent) => void>()
  const signal = watch.signal ? AbortSignal.any([giveUp.signal, watch.signal]) : giveUp.signal
  const opening = open(address, { limits, listeners, signal, onStep: watch.onStep ?? (() => {}) })
  // If it finished after its deadline, nothing else would close it.
  opening.then((channel) => signal.aborted && channel.close()).catch(() => {})
  const channel = await withDeadline(opening, limits.connectMs, (why) => giveUp.abort(why))
  return connectionOver(channel, listeners, address)
}

type Listeners = Set<(event: DomainEvent) => void>

interface OpenOptions {
  readonly limits: RpcLimits
  readonly listeners: Listeners
  readonly signal: AbortSignal
  readonly onStep: (step: ConnectStep) => void
}

async function open(
  address: HypervisorAddress,
  { limits, listeners, signal, onStep }: OpenOptions,
): Promise<RpcChannel> {
  let isReached = false
  const reached = () => {
    if (!isReached) onStep('reached')
    isReached = true
  }
  const stream = await openTransport(address, signal, reached)
  const channel = rpcChannel(stream, {
    callLimitMs: limits.callMs,
    pingEveryMs: limits.pingEveryMs,
    onMessage: (frame) => {
      const event = eventOf(frame)
      if (event) for (const listener of listeners) listener(event)
    },
  })
  const abort = () => channel.close()
  signal.addEventListener('abort', abort, { once: true })
  try {
    await authenticate(channel)
    reached() // over ssh nothing confirms that before the daemon itself does
    onStep('authenticated')
    const flags = address.readOnly ? CONNECT_READ_ONLY : 0
    await channel.call(PROCEDURES.connectOpen, { name: `qemu:///${address.daemon}`, flags })
    const { supported } = await channel.call(PROCEDURES.connectSupportsFeature, { feature: FEATURE_KEEPALIVE })
    if (supported) channel.keepAlive()
    return channel
  } catch (error) {
    channel.close()
    throw error instanceof HypervisorError && error.kind === 'closed'
      ? new HypervisorError('unreachable', error.message)
      : error
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** An empty list, or `none` in it, admits every client. Source: remote_driver.c, remoteAuthenticate. */
async function authenticate(channel: RpcChannel): Promise<void> {
  const { types } = await channel.call(PROCEDURES.authList, undefined)
  if (types.length === 0 || types.includes(AUTH.none)) return
  if (types.includes(AUTH.polkit)) {
    const { complete } = await channel.call(PROCEDURES.authPolkit, undefined)
    if (complete) return
  }
  const required = types.includes(AUTH.sasl)
    ? 'a name and password (SASL)'
    : `authentication of kind ${types.join(', ')}`
  throw new HypervisorError('not-authenticated', `the daemon requires ${required}, which Berth does not support`)
}

function connectionOver(channel: RpcChannel, listeners: Listeners, address: HypervisorAddress): HypervisorConnection {
  const { call } = channel
  let closing = false
  const describe = async (dom: RemoteDomain): Promise<Domain | null> => {
    const args = { dom, flags: 0 }
    const { state, reason } = await call(PROCEDURES.domainGetState, args)
    const { xml } = await call(PROCEDURES.domainGetXmlDesc, args)
    return { uuid: uuidText(dom.uuid), name: dom.name, ...statusOfCodes(state, reason), xml }
  }
  const lookup = (uuid: string) => call(PROCEDURES.domainLookupByUuid, { uuid: uuidBytes(uuid) })
  return {
    async versions() {
      const { libVersion } = await call(PROCEDURES.connectGetLibVersion, undefined)
      const { hvVersion } = await call(PROCEDURES.connectGetVersion, undefined)
      return { libvirt: versionText(libVersion), hypervisor: versionText(hvVersion) }
    },
    async hostname() {
      return (await call(PROCEDURES.connectGetHostname, undefined)).hostname
    },
    async capabilities() {
      return (await call(PROCEDURES.connectGetCapabilities, undefined)).capabilities
    },
    async nodeDevices() {
      const args = { needResults: 1, flags: LIST_PCI_DEVICES }
      const { devices } = await call(PROCEDURES.connectListAllNodeDevices, args)
      const read = async ({ name }: { name: string }): Promise<NodeDevice> => {
        const { xml } = await call(PROCEDURES.nodeDeviceGetXmlDesc, { name, flags: 0 })
        return { name, xml }
      }
      return byName(await eachAtMost(devices, AT_ONCE, nullIfMissing(read)))
    },
    async freePages(node, sizeKib) {
      const args = { pages: [sizeKib], startCell: node, cellCount: 1, flags: 0 }
      const [count] = (await call(PROCEDURES.nodeGetFreePages, args)).counts
      if (count === undefined) throw new HypervisorError('protocol', `no count of ${sizeKib} KiB pages`)
      return Number(count)
    },
    async domains(of) {
      const { domains } = await call(PROCEDURES.connectListAllDomains, { needResults: 1, flags: 0 })
      const read = namedResult(nullIfMissing(describe), of)
      return byName(await eachAtMost(domains, AT_ONCE, read)).map(({ result }) => result)
    },
    async domain(uuid) {
      return nullIfMissing(async () => describe((await lookup(uuid)).dom))(undefined)
    },
    ...statisticsOver(call, lookup),
    async migratableXml(uuid, which) {
      const flags = (address.readOnly ? 0 : XML_SECURE | XML_MIGRATABLE) | (which === 'stored' ? XML_INACTIVE : 0)
      const ask = async () => call(PROCEDURES.domainGetXmlDesc, { dom: (await lookup(uuid)).dom, flags })
      return nullIfMissing(async () => (await ask()).xml)(undefined)
    },
    ...rpcControl(channel),
    ...rpcStorage(channel),
    subscribe: subscriptions(channel, listeners),
    // The daemon, or the ssh before it, may end the stream before its last answer is read.
    ended: channel.ended.then((why) => (closing ? null : why)),
    async close() {
      closing = true
      await call(PROCEDURES.connectClose, undefined, { limitMs: CLOSE_LIMIT_MS }).catch(() => {})
      channel.close()
    },
  }
}

/** Numbers of a domain, by name. */
function statisticsOver(
  call: RpcChannel['call'],
  lookup: (uuid: string) => Promise<{ readonly dom: RemoteDomain }>,
): Pick<HypervisorConnection, 'jobStatistics' | 'memoryStatistics'> {
  return {
    async jobStatistics(uuid, which) {
      const flags = which === 'completed' ? JOB_COMPLETED | JOB_KEEP_COMPLETED : 0
      return nullIfMissing(async () => {
        const { dom } = await lookup(uuid)
        const answer = await call(PROCEDURES.domainGetJobStats, { dom, flags }).catch(noJobWhileOff)
        return answer === null ? NO_JOB : jobStatistics(answer.type, fieldsOf(answer.params))
      })(undefined)
    },
    async memoryStatistics(uuid) {
      return nullIfMissing(async () => {
        const { dom } = await lookup(uuid)
        const args = { doms: [dom], stats: STATS_MEMORY, flags: 0 }
        const [record] = (await call(PROCEDURES.connectGetAllDomainStats, args)).retStats
        return record === undefined ? null : memoryStatistics(fieldsOf(record.params))
      })(undefined)
    },
  }
}

/** The first listener subscribes to the daemon's events, for as long as the connection lasts. */
function subscriptions(channel: RpcChannel, listeners: Listeners): HypervisorConnection['subscribe'] {
  let registered: Promise<unknown> | null = null
  const register = async () => {
    for (const { eventId } of Object.values(EVENTS))
      await channel.call(PROCEDURES.connectDomainEventCallbackRegisterAny, { eventId, dom: null })
  }
  return async (listener) => {
    const own = (event: DomainEvent) => listener(event)
    listeners.add(own)
    registered ??= register()
    await registered
    return async () => {
      listeners.delete(own)
    }
  }
}

/** Null for an event without a subscription: a newer daemon may send more than is known here. */
function eventOf({ procedure, payload }: Frame): DomainEvent | null {
  switch (procedure) {
    case EVENTS.lifecycle.procedure: {
      const { dom, event } = EVENTS.lifecycle.message.decode(payload)
      const word = LIFECYCLE_EVENTS[event]
      return word ? { kind: 'lifecycle', ...namesOf(dom), event: word } : null
    }
    case EVENTS.migrationIteration.procedure: {
      const { dom, iteration } = EVENTS.migrationIteration.message.decode(payload)
      return { kind: 'migration-iteration', ...namesOf(dom), iteration }
    }
    case EVENTS.jobCompleted.procedure:
      return { kind: 'job-completed', ...namesOf(EVENTS.jobCompleted.message.decode(payload).dom) }
    default:
      return null
  }
}

function noJobWhileOff(error: unknown): null {
  if (error instanceof HypervisorError && error.code === LIBVIRT_ERROR.OPERATION_INVALID) return null
  throw error
}

const namesOf = ({ name, uuid }: RemoteDomain) => ({ name, uuid: uuidText(uuid) })

/** libvirt counts major × 1,000,000 + minor × 1,000 + release. Source: libvirt-host.c, virConnectGetVersion. */
const versionText = (version: bigint) =>
  [version / 1_000_000n, (version / 1_000n) % 1_000n, version % 1_000n].map(String).join('.')
