import { type CloudActionKind, subjectOf } from '../action/action'
import { destinationsOf, freeOf } from '../action/destinations'
import { refusalOf } from '../action/offer'
import { flavorAmounts } from '../amounts'
import { type CloudFacts, rowsOf } from '../facts'
import type { Amounts, CloudServer } from '../snapshot'

// Possible targets of a host's instances, by the present records of Placement and Nova. The plan is recomputed before
// each call, so that it includes Nova's own choices and refusals.

export interface DrainOptions {
  /** An instance that cannot migrate live migrates cold and is confirmed; it is off meanwhile. */
  readonly cold: boolean
  /** Maximum of concurrent migrations. */
  readonly most: number
}

/** An action that the drain requested from Nova. */
export interface DrainTry {
  readonly verb: CloudActionKind
  /** Id of the instance, or name of the host. */
  readonly subject: string
  /** Requested destination. */
  readonly host: string | null
  /** unanswered: no answer came, and it was not done. */
  readonly did: 'open' | 'done' | 'failed' | 'unanswered'
  readonly says: string | null
}

export interface DrainMigration {
  readonly instance: string
  readonly name: string
  readonly verb: 'live-migrate' | 'migrate'
  readonly host: string
  /** 0 goes first; the next one begins as slots become free. */
  readonly batch: number
}

export interface DrainStay {
  readonly instance: string
  readonly name: string
  readonly why: string
  /** An action on the instance is in progress, so it may be migrated later. */
  readonly isPassing: boolean
}

export interface DrainPlan {
  readonly migrations: readonly DrainMigration[]
  readonly stays: readonly DrainStay[]
}

export interface DrainRequest {
  readonly host: string
  readonly options: DrainOptions
  /** Tries of this drain, oldest first. */
  readonly tries: readonly DrainTry[]
}

/** Largest first: large instances fit on few hosts. */
export function planDrain(facts: CloudFacts, { host, options, tries }: DrainRequest): DrainPlan {
  const migrations: DrainMigration[] = []
  const stays: DrainStay[] = []
  const promised = new Map<string, Amounts[]>()
  const free = freeOf(facts)
  const open = new Set(tries.filter(({ did }) => did === 'open').map(({ subject }) => subject))
  const here = (facts.serversOn.get(host) ?? []).filter(({ id }) => !open.has(id))
  for (const server of [...here].sort(bySize)) {
    const { id: instance, name } = server
    const goes = migrationOf(facts, server, { options, tries, promised, free })
    if ('why' in goes) stays.push({ instance, name, ...goes })
    else {
      const amounts = flavorAmounts(server.flavor, server.volumeBacked)
      if (amounts !== null) promised.set(goes.host, [...(promised.get(goes.host) ?? []), amounts])
      migrations.push({ instance, name, ...goes, batch: Math.floor(migrations.length / options.most) })
    }
  }
  return { migrations, stays }
}

const bySize = (one: CloudServer, other: CloudServer): number =>
  other.flavor.memoryMib - one.flavor.memoryMib || other.flavor.vcpus - one.flavor.vcpus || (one.id < other.id ? -1 : 1)

interface MigrationRequest {
  readonly options: DrainOptions
  readonly tries: readonly DrainTry[]
  /** What earlier migrations of the plan take on each host. */
  readonly promised: ReadonlyMap<string, readonly Amounts[]>
  readonly free: ReadonlyMap<string, Amounts>
}

type DrainDecision = Pick<DrainMigration, 'verb' | 'host'> | Pick<DrainStay, 'why' | 'isPassing'>

function migrationOf(
  facts: CloudFacts,
  server: CloudServer,
  { options, tries, promised, free }: MigrationRequest,
): DrainDecision {
  const subject = subjectOf(facts, 'instance', server.id)
  const refusals: string[] = []
  const verbs = options.cold ? (['live-migrate', 'migrate'] as const) : (['live-migrate'] as const)
  for (const verb of verbs) {
    const why = subject === null ? 'The cloud does not list it any more.' : refusalOf(verb, subject)
    if (why !== null) {
      if (subject !== null && isPassing(why)) return { why, isPassing: true }
      refusals.push(why)
      continue
    }
    const mine = tries.filter((each) => each.subject === server.id && each.verb === verb)
    const isRefused = (host: string | null) => isRuledOut(mine.filter((each) => each.host === host))
    const refused = new Map(mine.flatMap(({ host, says }) => (isRefused(host) ? [[host, says] as const] : [])))
    const all = destinationsOf(facts, server, { flavor: server.flavor, promised, free })
    const fit = all.filter(({ host, why: no }) => no === null && !refused.has(host))
    const [best] = [...fit].sort(
      (one, other) => loadOf(facts, one.host, promised) - loadOf(facts, other.host, promised),
    )
    if (best !== undefined) return { verb, host: best.host }
    const reasons = all.map(({ host, why: no }) => `${host}: ${no ?? refused.get(host) ?? 'tried'}`)
    refusals.push(reasons.length === 0 ? 'The cloud has no other host.' : `It fits on no host. ${reasons.join('; ')}.`)
  }
  return { why: [...new Set(refusals)].join(' '), isPassing: false }
}

/** How often a call is sent without an answer, which says nothing about its object. */
const MAX_UNANSWERED = 3

/** Whether these tries of one call rule out another. */
export const isRuledOut = (tries: readonly DrainTry[]): boolean =>
  tries.some(({ did }) => did === 'failed') || tries.filter(({ did }) => did === 'unanswered').length >= MAX_UNANSWERED

/** The reason goes away by itself. */
export const isPassing = (why: string): boolean => why.startsWith('In progress')

/** Instances on it or promised to it: hosts with fewer go first, so that no host is filled up. */
const loadOf = (facts: CloudFacts, host: string, promised: MigrationRequest['promised']): number =>
  (facts.serversOn.get(host)?.length ?? 0) + (promised.get(host)?.length ?? 0)

/** Whether Nova itself queues one of its migrations: its limit of concurrent ones is reached. */
export const isAtNovasLimit = ({ snapshot }: CloudFacts, host: string): boolean =>
  rowsOf(snapshot.migrations).some(
    ({ sourceHost, status, type }) => sourceHost === host && status === 'queued' && type === 'live-migration',
  )
