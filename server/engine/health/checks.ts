// Health checks: facts in, one line per check out.

/** The tables at one moment. Ages are by the database's clock, in ms; null: never. */
export interface HealthFacts {
  readonly relay: { readonly present: boolean; readonly behind: number }
  readonly outbox: { readonly count: number; readonly oldestMs: number }
  readonly tasks: readonly TaskFacts[]
  /** Null when the row of the audit is missing or no audit was recorded. */
  readonly auditAgeMs: number | null
  readonly survey: { readonly skipped: number; readonly hosts: readonly SkippedHost[] }
  /** Leases that end later than any may. */
  readonly leasesAhead: number
  /** Servers with a heartbeat in the last seconds. */
  readonly servers: readonly ServerFacts[]
}

export interface TaskFacts {
  readonly name: string
  readonly owner: string
  readonly everyMs: number
  /** Whether its lease holds, so that a server runs it. */
  readonly held: boolean
  readonly begunMs: number | null
  readonly endedMs: number | null
  readonly failedMs: number | null
  readonly error: string | null
}

/** A host that has not been surveyed for too long. */
export interface SkippedHost {
  readonly id: string
  readonly name: string
}

export interface ServerFacts {
  readonly owner: string
  readonly upMs: number
  readonly seenMs: number
  readonly clockOffsetMs: number | null
  /** Why its read replica does not answer; null when it does, or when there is none. */
  readonly replicaFailure: string | null
}

const HEALTH_CHECKS = ['relay', 'outbox', 'tasks', 'audit', 'survey', 'leases', 'clock', 'replica'] as const
export type HealthCheckName = (typeof HEALTH_CHECKS)[number]

export interface HealthCheck {
  readonly name: HealthCheckName
  readonly ok: boolean
  /** The fault and its remedy; null when the check passes. */
  readonly why: string | null
}

/** A periodic task as the running server knows it. */
export interface ExpectedTask {
  readonly name: string
  readonly everyMs: number
}

export interface HealthOptions {
  readonly expected: readonly ExpectedTask[]
  readonly limits: HealthLimits
}

export interface HealthLimits {
  /** How long an outbox row may wait for its number. */
  readonly outboxMs: number
  readonly clockMs: number
  /** A round that takes longer is considered hung. */
  readonly roundMs: number
  /** Added to the interval, for a busy machine. */
  readonly graceMs: number
}

const TASK_INTERVALS = 3
const AUDIT_INTERVALS = 2

export function healthChecks(facts: HealthFacts, options: HealthOptions): HealthCheck[] {
  return HEALTH_CHECKS.map((name) => {
    const wrong = CHECK[name](facts, options)
    return { name, ok: wrong.length === 0, why: wrong.length === 0 ? null : wrong.join(' ') }
  })
}

type Check = (facts: HealthFacts, options: HealthOptions) => readonly string[]

const CHECK: { readonly [N in HealthCheckName]: Check } = {
  relay: ({ relay }) => [
    ...(relay.present
      ? []
      : ['The row of the outbox relay is missing. The relay writes it again with its next batch.']),
    ...(relay.behind > 0
      ? [`The outbox relay is ${relay.behind} events behind what was published. It continues after the last event.`]
      : []),
  ],
  outbox: ({ outbox }, { limits }) =>
    outbox.count > 0 && outbox.oldestMs > limits.outboxMs
      ? [
          `${plural(outbox.count, 'event is', 'events are')} not published; the oldest has waited ${span(outbox.oldestMs)}. ` +
            'Screens show old states until a relay publishes them.',
        ]
      : [],
  tasks: (facts, { expected, limits }) => expected.flatMap((task) => taskTrouble(task, facts, limits)),
  audit: ({ auditAgeMs, servers }, { expected, limits }) => {
    const audit = expected.find(({ name }) => name === 'audit')
    if (!audit) return []
    const limitMs = AUDIT_INTERVALS * audit.everyMs + limits.graceMs
    if (auditAgeMs === null) {
      return upMs(servers) > limitMs ? ['No audit was ever recorded. Discrepancies are not detected.'] : []
    }
    if (auditAgeMs < -limits.clockMs) {
      return [`The last audit is dated ${span(-auditAgeMs)} ahead of the database’s clock. The next one replaces it.`]
    }
    return auditAgeMs > limitMs
      ? [`The last audit is ${span(auditAgeMs)} old; one is due every ${span(audit.everyMs)}.`]
      : []
  },
  survey: ({ survey: { skipped, hosts }, servers }, { expected, limits }) => {
    // Until some server has been up for three intervals, none could have surveyed these hosts.
    const everyMs = expected.find(({ name }) => name === 'survey')?.everyMs ?? 0
    const couldNotAsk = servers.length > 0 && upMs(servers) <= TASK_INTERVALS * everyMs + limits.graceMs
    return skipped === 0 || couldNotAsk
      ? []
      : [
          `The survey skips ${plural(skipped, 'host', 'hosts')} (${namesOf(hosts, skipped)}): not surveyed for three ` +
            'intervals. What runs there may have changed. They are surveyed separately.',
        ]
  },
  leases: ({ leasesAhead }) =>
    leasesAhead === 0
      ? []
      : [`${plural(leasesAhead, 'lease ends', 'leases end')} later than the longest lease. They are ignored.`],
  clock: ({ servers }, { limits }) =>
    servers.flatMap(({ owner, clockOffsetMs }) =>
      clockOffsetMs !== null && Math.abs(clockOffsetMs) > limits.clockMs
        ? [
            `The clock of server ${owner} is ${offsetText(clockOffsetMs)}. Berth uses the database’s clock; correct the server’s.`,
          ]
        : [],
    ),
  replica: ({ servers }) =>
    servers.flatMap(({ owner, replicaFailure }) =>
      replicaFailure === null
        ? []
        : [`The replica of server ${owner} does not answer: ${replicaFailure} Berth reads from the primary instead.`],
    ),
}

function taskTrouble({ name, everyMs }: ExpectedTask, { tasks, servers }: HealthFacts, limits: HealthLimits): string[] {
  const task = tasks.find((each) => each.name === name)
  const limitMs = TASK_INTERVALS * everyMs + limits.graceMs
  const lastMs = Math.min(task?.begunMs ?? Number.POSITIVE_INFINITY, task?.endedMs ?? Number.POSITIVE_INFINITY)
  if (!task || lastMs === Number.POSITIVE_INFINITY) {
    return upMs(servers) > limitMs ? [`Task ${name} has never run; it is due every ${span(everyMs)}.`] : []
  }
  if (isUnderWay(task) && (task.begunMs ?? 0) <= limits.roundMs) return []
  if (lastMs > limitMs || lastMs < -limits.clockMs) {
    return [`Task ${name} has not run for ${span(Math.abs(lastMs))}; it is due every ${span(everyMs)}.`]
  }
  const sinceGood = task.endedMs ?? Number.POSITIVE_INFINITY
  if (task.error === null || sinceGood <= limitMs) return []
  return [`Task ${name} fails: ${task.error}. It is retried every ${span(everyMs)}.`]
}

const isUnderWay = ({ held, begunMs, endedMs, failedMs }: TaskFacts): boolean =>
  held && begunMs !== null && begunMs >= 0 && [endedMs, failedMs].every((each) => each === null || begunMs < each)

const upMs = (servers: readonly ServerFacts[]) => Math.max(0, ...servers.map((server) => server.upMs))

const plural = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

function namesOf(hosts: readonly SkippedHost[], of: number): string {
  const named = hosts.slice(0, 3).map(({ name }) => name)
  return of > named.length ? `${named.join(', ')} and ${of - named.length} more` : named.join(', ')
}

const offsetText = (ms: number) => `${span(Math.abs(ms))} ${ms > 0 ? 'ahead' : 'behind'}`

/** A duration in its largest useful unit: 90 s, 12 min, 3 h, 5 days. */
export function span(ms: number): string {
  const s = Math.round(ms / 1000)
  if (s < 120) return `${s} s`
  if (s < 7_200) return `${Math.round(s / 60)} min`
  return s < 172_800 ? `${Math.round(s / 3_600)} h` : `${Math.round(s / 86_400)} days`
}
