import type { HealthCheck, HealthCheckName } from '../health/checks'
import { FINDING_TITLES } from '../words/finding-titles'

// The kinds of alarms, one row each, with the condition in Berth and the same condition in PromQL for sites that run
// Prometheus. docs/runbooks has a page for each.

export const ALARM_SEVERITIES = ['critical', 'warning'] as const
export type AlarmSeverity = (typeof ALARM_SEVERITIES)[number]

export interface AlarmSubject {
  /** Id of its subject, such as a host; empty: Berth as a whole. */
  readonly id: string
  readonly name: string
}

export interface AlarmFacts {
  /** Hosts that are recorded as up and do not answer. */
  readonly silent: readonly AlarmSubject[]
  /** Hosts that are recorded as down: their instances are neither reachable nor confirmed off. */
  readonly down: readonly AlarmSubject[]
  /** Migrations, by the name of the instance. */
  readonly overdue: readonly AlarmSubject[]
  readonly notConverging: readonly AlarmSubject[]
  /** Active migrations that other records contradict. */
  readonly blocked: readonly AlarmSubject[]
  /** Open critical findings of each kind. */
  readonly critical: readonly { readonly kind: string; readonly count: number }[]
  /** Watched clouds, with how many critical findings each has. */
  readonly clouds: readonly (AlarmSubject & { readonly critical: number })[]
  readonly checks: readonly Pick<HealthCheck, 'name' | 'ok' | 'why'>[]
}

interface Subject extends AlarmSubject {
  readonly says: string
}

export interface AlarmRule {
  readonly severity: AlarmSeverity
  readonly title: string
  readonly subjects: (facts: AlarmFacts) => readonly Subject[]
  readonly expr: string
  readonly for: string
}

const BERTH = { id: '', name: 'Berth' }

const check =
  (...names: readonly HealthCheckName[]): AlarmRule['subjects'] =>
  ({ checks }) =>
    checks.flatMap(({ name, ok, why }) =>
      names.includes(name) && !ok ? [{ ...BERTH, id: name, says: why ?? name }] : [],
    )

const failing = (...names: readonly HealthCheckName[]) => `berth_health_ok{check=~"${names.join('|')}"} == 0`

export const ALARMS = {
  'host-silent': {
    severity: 'critical',
    title: 'Host unreachable',
    subjects: ({ silent }) => silent.map((host) => ({ ...host, says: `Host ${host.name} does not answer.` })),
    expr: 'berth_hosts_silent > 0',
    for: '2m',
  },
  'host-down': {
    severity: 'critical',
    title: 'Host down',
    subjects: ({ down }) =>
      down.map((host) => ({ ...host, says: `Host ${host.name} is recorded down: its instances may still run.` })),
    expr: 'berth_hosts{status="down"} > 0',
    for: '2m',
  },
  'finding-critical': {
    severity: 'critical',
    title: 'Critical finding',
    subjects: ({ critical }) =>
      critical.map(({ kind, count }) => ({
        ...{ id: kind, name: kind },
        says: `The audit has ${count} open critical ${count === 1 ? 'finding' : 'findings'}: ${findingTitle(kind)}.`,
      })),
    expr: 'sum by (kind) (berth_findings{severity="critical"}) > 0',
    for: '5m',
  },
  'cloud-finding-critical': {
    severity: 'critical',
    title: 'Critical cloud finding',
    subjects: ({ clouds }) =>
      clouds
        .filter(({ critical }) => critical > 0)
        .map(({ id, name, critical }) => ({
          ...{ id, name },
          says: `Cloud ${name} has ${critical} open critical ${critical === 1 ? 'finding' : 'findings'}.`,
        })),
    expr: 'berth_cloud_findings{severity="critical"} > 0',
    for: '5m',
  },
  'migration-blocked': {
    severity: 'critical',
    title: 'Migration blocked',
    subjects: ({ blocked }) =>
      blocked.map((each) => ({ ...each, says: `The migration of ${each.name} is blocked by its records.` })),
    expr: 'berth_migrations_slow{why="blocked"} > 0',
    for: '2m',
  },
  'migration-not-converging': {
    severity: 'warning',
    title: 'Migration not converging',
    subjects: ({ notConverging }) =>
      notConverging.map((each) => ({
        ...each,
        says: `The live migration of ${each.name} dirties memory faster than the link copies it.`,
      })),
    expr: 'berth_migrations_slow{why="not-converging"} > 0',
    for: '5m',
  },
  'migration-overdue': {
    severity: 'warning',
    title: 'Migration overdue',
    subjects: ({ overdue }) =>
      overdue.map((each) => ({ ...each, says: `The migration of ${each.name} is in its step longer than usual.` })),
    expr: 'berth_migrations_slow{why="overdue"} > 0',
    for: '5m',
  },
  'task-silent': {
    severity: 'critical',
    title: 'Periodic task silent',
    subjects: check('tasks'),
    expr: failing('tasks'),
    for: '2m',
  },
  'events-stuck': {
    severity: 'critical',
    title: 'Events not published',
    subjects: check('relay', 'outbox'),
    expr: failing('relay', 'outbox'),
    for: '2m',
  },
  'audit-late': {
    severity: 'warning',
    title: 'Audit late',
    subjects: check('audit'),
    expr: failing('audit'),
    for: '5m',
  },
  'survey-incomplete': {
    severity: 'warning',
    title: 'Hosts not surveyed',
    subjects: check('survey'),
    expr: failing('survey'),
    for: '5m',
  },
  'clock-wrong': {
    severity: 'warning',
    title: 'Clock or lease wrong',
    subjects: check('clock', 'leases'),
    expr: failing('clock', 'leases'),
    for: '5m',
  },
  'replica-lost': {
    severity: 'warning',
    title: 'Database replica lost',
    subjects: check('replica'),
    expr: failing('replica'),
    for: '5m',
  },
} as const satisfies Readonly<Record<string, AlarmRule>>

export type AlarmKind = keyof typeof ALARMS
export const ALARM_KINDS = Object.keys(ALARMS) as readonly AlarmKind[]

/** For kinds of another version, the kind itself. */
const findingTitle = (kind: string): string => (FINDING_TITLES as Readonly<Record<string, string>>)[kind] ?? kind

/** For rows that another version wrote, the kind itself. */
export const alarmTitle = (kind: string): string =>
  Object.entries(ALARMS).find(([each]) => each === kind)?.[1].title ?? kind

export interface RaisedAlarm extends Subject {
  readonly kind: AlarmKind
  readonly severity: AlarmSeverity
}

/** Every condition that holds at present. */
export const alarmsOf = (facts: AlarmFacts): readonly RaisedAlarm[] =>
  ALARM_KINDS.flatMap((kind) => {
    const { severity, subjects }: AlarmRule = ALARMS[kind]
    return subjects(facts).map((subject) => ({ ...subject, kind, severity }))
  })

/** Alarms that only a program outside Berth can raise. */
export const OUTSIDE = {
  'berth-down': {
    severity: 'critical',
    title: 'Berth does not answer',
    expr: 'up{job="berth"} == 0 or absent(up{job="berth"})',
    for: '1m',
  },
  'database-down': {
    severity: 'critical',
    title: 'Database does not answer',
    expr: 'berth_database_up == 0',
    for: '1m',
  },
} as const satisfies Readonly<Record<string, Omit<AlarmRule, 'subjects'>>>
