import { SERVICES, sendCall } from '../cloud/actor'
import type { CloudClient } from '../cloud/client'
import { CloudError, isRefusal } from '../cloud/http/errors'
import type { Transport } from '../cloud/http/transport'
import { readMigrations, readServer, readServices, readTopology } from '../cloud/mirror/nova-lists'
import { readConsumer, rereadProvider } from '../cloud/mirror/placement-trees'
import { rowsOf } from '../engine/cloud/facts'
import { type CloudGuard, failedGuards } from '../engine/cloud/guard'
import { stillDead } from '../engine/cloud/history'
import type { CloudCall } from '../engine/cloud/repair'
import type { CloudSnapshot, Part } from '../engine/cloud/snapshot'

// Sends the calls of a plan one by one. Before each, everything it relies on is read again; the first guard that fails,
// or call that the cloud refuses, ends it, and nothing more is sent.

export interface CallOutcome {
  readonly call: CloudCall
  /**
   * not-sent: a guard failed, an earlier call ended it, or the cloud takes no more calls at present. refused: by the
   * cloud. unknown: no clear answer.
   */
  readonly did: 'sent' | 'not-sent' | 'refused' | 'unknown'
  readonly says: string
  /** For finding it in the service's logs. */
  readonly requestId: string | null
  /** The cloud's clock when it answered. */
  readonly at: number | null
  /** The cloud takes no more calls for this long, whatever they are; 0: it does not say how long. Null: it takes them. */
  readonly limitedMs?: number | null
}

export interface Application {
  /** The snapshot that the plan was made from. */
  readonly snapshot: CloudSnapshot
  readonly calls: readonly CloudCall[]
  /** Called before each call is sent: null permits it, and then it is noted. */
  begin(call: CloudCall): Promise<string | null>
  /** Hosts attested as powered off at present, by the cloud's clock. */
  deadHosts(): Promise<ReadonlyMap<string, number>>
  /** What libvirt reports on its hosts, read again. */
  domains(snapshot: CloudSnapshot, now: () => number): Promise<CloudSnapshot['domains']>
  /** Called once its outcome is known. */
  note(call: CloudCall, outcome: CallOutcome): Promise<void>
  readonly access: CloudAccess
}

export interface CloudAccess {
  readonly client: CloudClient
  readonly transport: Transport
  readonly wait: (ms: number) => Promise<unknown>
}

/** Dates of answers are whole seconds, so parts read within a second of the plan are read again. */
const SECOND_MS = 1_100
const TOO_MANY_REQUESTS = 429
const UNANSWERED = { requestId: null, at: null } as const

export async function applyCalls(application: Application): Promise<readonly CallOutcome[]> {
  const outcomes: CallOutcome[] = []
  for (const call of application.calls) {
    const ended = outcomes.some(({ did }) => did !== 'sent')
    const outcome: CallOutcome = ended
      ? { ...UNANSWERED, call, did: 'not-sent', says: 'an earlier call was not done' }
      : await applyOne(application, { ...application.access, call })
    outcomes.push(outcome)
    if (!ended) await application.note(call, outcome)
  }
  return outcomes
}

interface One extends CloudAccess {
  readonly call: CloudCall
}

async function applyOne(application: Application, one: One): Promise<CallOutcome> {
  const { client, transport, call } = one
  const notSent = (says: string): CallOutcome => ({ ...UNANSWERED, call, did: 'not-sent', says })
  try {
    const failed = await checkGuards(application, one)
    if (failed.length > 0) return notSent(failed.join('; '))
  } catch (error) {
    if (error instanceof CloudError)
      return { ...notSent(error.says), requestId: error.requestId, limitedMs: limitOf(error) }
    throw error
  }
  const forbidden = await application.begin(call)
  if (forbidden !== null) return notSent(forbidden)
  try {
    const { status, requestId, at } = await sendCall(client, transport, call)
    const accepted = status === 202 ? 'accepted; the next read shows whether it was done' : `answered ${status}`
    return { call, did: 'sent', says: requestId === null ? accepted : `${accepted} (${requestId})`, requestId, at }
  } catch (error) {
    if (!(error instanceof CloudError)) throw error
    const { requestId, message } = error
    const did = failureOf(error, call)
    // It may be repeated, and each answer has an id of its own.
    const says = did === 'not-sent' ? error.says : message
    return { call, did, says, requestId, at: client.now(), limitedMs: limitOf(error) }
  }
}

const isLimited = ({ status }: CloudError): boolean => status === TOO_MANY_REQUESTS

/** An overloaded service, or the proxy in front of it, may ask for a delay as well. */
const limitOf = (error: CloudError): number | null => error.retryAfterMs ?? (isLimited(error) ? 0 : null)

/**
 * A limit of the cloud says nothing about the call, which may be repeated. An error of another request, such as the
 * sign-in, came before the call, or after the cloud refused its token.
 */
function failureOf(error: CloudError, { service, path }: CloudCall): 'not-sent' | 'refused' | 'unknown' {
  const isOfCall = error.call.service === SERVICES[service] && error.call.path === path
  if (isLimited(error) || !isOfCall) return 'not-sent'
  return isRefusal(error) ? 'refused' : 'unknown'
}

async function checkGuards(application: Application, { client, call, wait }: One): Promise<readonly string[]> {
  // Writes go to the present endpoints of the cloud.
  await client.readCatalog(0)
  const plan = { ...application.snapshot, deadHosts: await application.deadHosts() }
  const now = () => client.now() ?? plan.now
  // libvirt is queried only for guards that rely on it.
  const isWitnessed = call.guards.some(({ kind }) => kind === 'no-domain' || kind === 'pins')
  const read = async () => ({
    ...(await refreshSnapshot(client, plan, call)),
    ...(isWitnessed && { domains: await application.domains(plan, now) }),
  })
  const failed = failedGuards(await read(), call.guards, plan.now)
  if (!failed.some((each) => each.endsWith('not read again'))) return failed
  await wait(SECOND_MS)
  return failedGuards(await read(), call.guards, plan.now)
}

/** The plan's snapshot, with the present state of everything that its guards name. */
async function refreshSnapshot(
  client: CloudClient,
  plan: CloudSnapshot,
  { guards, instance }: CloudCall,
): Promise<CloudSnapshot> {
  const instances = new Set(guards.flatMap((guard) => instancesIn(guard, plan)))
  if (instance !== null) instances.add(instance)
  const consumers = guards.flatMap((guard) => (guard.kind === 'consumer' ? [guard.id] : []))
  const pinned = guards.flatMap((guard) => (guard.kind === 'pins' ? [guard.instance] : []))
  const unused = guards.flatMap((guard) => (guard.kind === 'unused-provider' ? [guard.id] : []))
  const offering = rowsOf(plan.providers).filter(({ id }) => unused.includes(id))
  const [services, servers, migrations, held, topologies, providers] = await Promise.all([
    readServices(client),
    Promise.all([...instances].map(async (id) => [id, await readServer(client, id)] as const)),
    Promise.all([...instances].map((each) => readMigrations(client, { instance: each }))),
    Promise.all(consumers.map(async (id) => [id, await readConsumer(client, id)] as const)),
    Promise.all(pinned.map(async (id) => [id, await readTopology(client, id)] as const)),
    Promise.all(offering.map((provider) => rereadProvider(client, provider))),
  ])
  const at = services.isRead ? services.at : plan.now
  const unread = servers.some(([, server]) => server === undefined)
  const rowsNow = new Map(servers)
  return {
    ...plan,
    now: Math.max(plan.now, at),
    services,
    deadHosts: stillDead({ services }, plan.deadHosts),
    servers: unread
      ? plan.servers
      : withRows(plan.servers, at, (rows) => [
          ...rows.filter(({ id }) => !rowsNow.has(id)),
          ...servers.flatMap(([, server]) => server ?? []),
        ]),
    migrations: migrations.every(({ isRead }) => isRead)
      ? withRows(plan.migrations, at, (rows) => [
          ...rows.filter(({ instance }) => !instances.has(instance)),
          ...migrations.flatMap((part) => (part.isRead ? part.value : [])),
        ])
      : plan.migrations,
    providers: providers.some((provider) => provider === null)
      ? plan.providers
      : withRows(plan.providers, at, (rows) => [
          ...rows.filter(({ id }) => !unused.includes(id)),
          ...providers.flatMap((provider) => provider ?? []),
        ]),
    consumers: new Map([...plan.consumers, ...held]),
    topologies: new Map([...plan.topologies, ...topologies]),
  }
}

/** Nova's migrations are read by their instance. */
function instancesIn(guard: CloudGuard, { migrations }: CloudSnapshot): readonly string[] {
  if (guard.kind === 'server') return [guard.id]
  if (guard.kind !== 'migration') return []
  return rowsOf(migrations).flatMap(({ uuid, instance }) => (uuid === guard.uuid ? [instance] : []))
}

const withRows = <T>(
  part: Part<readonly T[]>,
  at: number,
  change: (rows: readonly T[]) => readonly T[],
): Part<readonly T[]> => (part.isRead ? { ...part, at, value: change(part.value) } : part)
