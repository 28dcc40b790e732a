import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { HealthCheck, HealthFacts } from '../../engine/health/checks'
import type { ErrorView } from '../refusal/view'

// The content of `/metrics`. Counters live in this process; gauges are read on each scrape, so that none is stale.

/** Numbers that are true now, read at each scrape. */
export interface MetricsNow {
  /** Claims, by kind of holder. */
  readonly claims: Readonly<Record<'instance' | 'migration', number>>
  readonly hosts: Readonly<Record<string, number>>
  /** Ended migrations by operation and outcome, over all time. */
  readonly ended: readonly { readonly operation: string; readonly outcome: string; readonly count: number }[]
  /** Active migrations, by operation and step. */
  readonly active: readonly { readonly operation: string; readonly step: string; readonly count: number }[]
  /** How long the most overdue migration has waited for the conductor. */
  readonly conductorLagMs: number
  /** Hosts that are recorded up and do not answer, though they once did. */
  readonly silentHosts: number
  /** Active migrations with a problem, by kind: overdue, not-converging. */
  readonly slow: Readonly<Record<'overdue' | 'not-converging' | 'blocked', number>>
  readonly clouds: readonly { readonly cloud: string; readonly severity: 'critical'; readonly count: number }[]
  /** Open alarms without an acknowledgement, by severity. */
  readonly alarms: Readonly<Record<'critical' | 'warning', number>>
  /** Events that have no sequence number yet. */
  readonly relayBacklog: number
  /** Findings of the last audit, by kind. */
  readonly findings: readonly { readonly kind: string; readonly severity: string; readonly count: number }[]
  /** Age and duration of the last audit; null before the first. */
  readonly auditAgeMs: number | null
  readonly auditTookMs: number | null
  readonly health: { readonly facts: HealthFacts; readonly checks: readonly HealthCheck[] }
}

export interface ApiMetrics {
  countError(view: ErrorView): void
  countStream(change: 1 | -1): void
  countPastRead(by: 'replica' | 'primary'): void
  /** Prometheus text format. Null: the database did not answer, so only what this process knows is exported. */
  text(now: MetricsNow | null): Promise<string>
  readonly contentType: string
}

export function makeMetrics(): ApiMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'berth_' })
  const refused = new Counter({
    name: 'berth_refusals_total',
    help: 'Calls refused at the API, by kind of refusal',
    labelNames: ['kind'],
    registers,
  })
  const errors = new Counter({
    name: 'berth_errors_total',
    help: 'Calls that failed at the API, by stable code',
    labelNames: ['code'],
    registers,
  })
  const streams = new Gauge({ name: 'berth_event_streams', help: 'Open event streams', registers })
  const pastReads = new Counter({
    name: 'berth_past_reads_total',
    help: 'Reads of past states, by server: replica or primary',
    labelNames: ['by'],
    registers,
  })
  const database = new Gauge({
    name: 'berth_database_up',
    help: '1 when the database answered this scrape, 0 when it did not and the fleet is left out',
    registers,
  })
  // Separate, so that a scrape without the database omits them instead of repeating old values.
  const fleet = new Registry()
  const gauges = makeGauges([fleet])
  return {
    contentType: registry.contentType,
    countError: (view) => {
      errors.inc({ code: view.code })
      for (const { kind } of view.refusals) refused.inc({ kind })
    },
    countStream: (change) => streams.inc(change),
    countPastRead: (by) => pastReads.inc({ by }),
    text: async (now) => {
      database.set(now === null ? 0 : 1)
      if (now === null) return registry.metrics()
      gauges.show(now)
      return `${await registry.metrics()}\n${await fleet.metrics()}`
    },
  }
}

function makeGauges(registers: Registry[]) {
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const claims = gauge('berth_claims', 'Claims, by kind of holder', ['holder'])
  const hosts = gauge('berth_hosts', 'Hosts by status; never-answered: recorded up, and no survey ever reached it', [
    'status',
  ])
  const ended = gauge('berth_migrations_ended', 'Migrations that have ended, by operation and outcome', [
    'operation',
    'outcome',
  ])
  const active = gauge('berth_migrations_active', 'Active migrations, by operation and step', ['operation', 'step'])
  const silent = gauge('berth_hosts_silent', 'Hosts recorded up that do not answer')
  const slow = gauge('berth_migrations_slow', 'Active migrations that are overdue, not converging or blocked', ['why'])
  const alarms = gauge('berth_alarms', 'Open alarms that nobody has acknowledged', ['severity'])
  const lag = gauge('berth_conductor_lag_seconds', 'How long the most overdue migration has waited for the conductor')
  const findings = gauge('berth_findings', 'Findings of the last audit, by kind', ['kind', 'severity'])
  const clouds = gauge('berth_cloud_findings', 'Critical findings of each watched cloud', ['cloud', 'severity'])
  const auditAge = gauge('berth_audit_age_seconds', 'Time since the last audit')
  const auditTook = gauge('berth_audit_duration_seconds', 'Duration of the last audit')
  const backlog = gauge('berth_relay_backlog', 'Events written and not yet in the public sequence')
  const health = makeHealthGauges(gauge)
  const fill = (into: Gauge, rows: readonly (Record<string, string> & { count: never })[] | readonly object[]) => {
    into.reset()
    for (const row of rows) {
      const { count, ...labels } = row as Record<string, string> & { count: number }
      into.set(labels, count)
    }
  }
  return {
    show: (now: MetricsNow) => {
      fill(claims, counted(now.claims, 'holder'))
      fill(hosts, counted(now.hosts, 'status'))
      fill(ended, now.ended)
      fill(active, now.active)
      fill(findings, now.findings)
      fill(clouds, now.clouds)
      fill(slow, counted(now.slow, 'why'))
      fill(alarms, counted(now.alarms, 'severity'))
      silent.set(now.silentHosts)
      if (now.auditAgeMs !== null) auditAge.set(now.auditAgeMs / 1000)
      if (now.auditTookMs !== null) auditTook.set(now.auditTookMs / 1000)
      lag.set(now.conductorLagMs / 1000)
      backlog.set(now.relayBacklog)
      health.show(now.health)
    },
  }
}

type MakeGauge = (name: string, help: string, labelNames?: string[]) => Gauge

/** Health of the relay, the periodic tasks, the audit and the survey. */
function makeHealthGauges(gauge: MakeGauge) {
  const ok = gauge('berth_health_ok', '1 when the health check passes, 0 when it fails', ['check'])
  const task = gauge('berth_task_age_seconds', 'Time since a periodic task last succeeded', ['task'])
  const offset = gauge('berth_clock_offset_seconds', 'Largest lead of a server clock over the database clock')
  const outbox = gauge('berth_outbox_oldest_seconds', 'How long the oldest unpublished event has waited')
  const behind = gauge('berth_relay_behind', 'Published events that the relay does not know of')
  const skipped = gauge('berth_survey_hosts_skipped', 'Hosts skipped by the last three surveys')
  const ahead = gauge('berth_leases_ahead', 'Leases that end further ahead than a lease may last')
  return {
    show: ({ facts, checks }: MetricsNow['health']) => {
      for (const each of [ok, task]) each.reset()
      for (const check of checks) ok.set({ check: check.name }, check.ok ? 1 : 0)
      for (const { name, endedMs } of facts.tasks) if (endedMs !== null) task.set({ task: name }, endedMs / 1000)
      const offsets = facts.servers.map(({ clockOffsetMs }) => clockOffsetMs ?? 0)
      offset.set(offsets.reduce((worst, each) => (Math.abs(each) > Math.abs(worst) ? each : worst), 0) / 1000)
      outbox.set(facts.outbox.oldestMs / 1000)
      behind.set(facts.relay.behind)
      skipped.set(facts.survey.skipped)
      ahead.set(facts.leasesAhead)
    },
  }
}

function counted(counts: Readonly<Record<string, number>>, label: string) {
  return Object.entries(counts).map(([value, count]) => ({ [label]: value, count }))
}
