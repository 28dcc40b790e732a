import type { StreamEvent } from '@/server/api/event/router'
import type { QueryPath } from '@/server/api/router'

// Which queries an event invalidates. Total over the API's queries: a new query does not compile until it has a rule.

export interface InvalidationScope {
  readonly hosts: ReadonlySet<string>
  readonly instances: ReadonlySet<string>
  readonly migrations: ReadonlySet<string>
  /** First words of the event kinds: `migration`, `finding`, `heal`. */
  readonly nouns: ReadonlySet<string>
  /** Only transfer progress or a cloud's state was reported: no claim changed. */
  readonly onlyProgress: boolean
}

type Rule = (touched: InvalidationScope, input: Readonly<Record<string, unknown>>) => boolean

const always: Rule = () => true
const never: Rule = () => false
const holdings: Rule = (touched) => !touched.onlyProgress
const ofHost: Rule = (touched, { id, host }) => !touched.onlyProgress && touched.hosts.has(String(id ?? host))
/** Any write to one of these nouns. */
const about =
  (...nouns: readonly string[]): Rule =>
  (touched) =>
    nouns.some((noun) => touched.nouns.has(noun))
const either =
  (...rules: readonly Rule[]): Rule =>
  (touched, input) =>
    rules.some((rule) => rule(touched, input))
const ofNamed: Rule = (touched, { host, instance }) =>
  !touched.onlyProgress &&
  ((host !== undefined && touched.hosts.has(String(host))) ||
    (instance !== undefined && touched.instances.has(String(instance))))

const RULES = {
  'session.me': never,
  'session.account': never,
  'setting.rules': about('setting'),
  'setting.server': never,
  'storage.list': holdings,
  'connection.files': never,
  'cloud.list': about('cloud'),
  'cloud.byId': about('cloud'),
  'cloud.hosts': about('cloud'),
  'cloud.host': about('cloud'),
  'cloud.drift': about('cloud'),
  'cloud.instances': about('cloud'),
  'cloud.migrations': about('cloud'),
  'cloud.findings': about('cloud'),
  'cloud.finding': about('cloud'),
  // A dry run shows the time of its request.
  'cloud.plan': never,
  'cloud.script': never,
  'cloudAction.offers': about('cloud'),
  'cloudAction.latest': about('cloud'),
  'cloudAction.explain': never,
  'cloudDrain.ofHost': about('cloud'),
  'cloudDrain.plan': never,
  'catalog.list': about('catalog', 'instance'),
  'overview.get': always,
  'alarm.list': always,
  'alarm.counts': always,
  'alarm.deliveries': always,
  'host.list': holdings,
  'host.counts': holdings,
  'host.kinds': about('host'),
  'host.zones': never,
  'host.byId': ofHost,
  'host.map': ofHost,
  'host.claims': ofHost,
  'host.consequences': never,
  'instance.list': holdings,
  'instance.byId': either((touched, { id }) => touched.instances.has(String(id)), about('power')),
  // An explanation has a timestamp; the operator decides when to refetch.
  'migrate.explain': never,
  // Except for the measurement that its estimate is made of: the answer to its request may precede its event, which the
  // estimate is read from.
  'migrate.plan': (touched, { instance }) => touched.nouns.has('instance') && touched.instances.has(String(instance)),
  'explain.get': never,
  'explain.host': never,
  'explain.nearest': never,
  'explain.trees': never,
  // Its page recounts on its own schedule: recounting on each event would never stop.
  'ledger.counts': never,
  'ledger.list': (touched, { at }) => at === undefined && !touched.onlyProgress,
  'consumer.foreign': about('placement', 'proposal'),
  'device.kinds': holdings,
  'device.list': holdings,
  'device.byUnit': ofNamed,
  'capacity.get': never,
  'capacity.flavors': never,
  // Sums over the fleet, which its page recounts on its own schedule; clients' writes arrive as events.
  'provider.trees': about('placement'),
  'provider.foreign': about('placement'),
  'provider.tree': either(about('placement'), ofHost),
  'capacity.fitCount': holdings,
  // Its page polls at a long interval, because it searches the whole fleet.
  'capacity.largest': never,
  // The past does not change; an event only adds one change.
  'power.leftover': either(ofNamed, about('power', 'finding')),
  'power.returned': either(ofHost, about('power')),
  'past.range': never,
  'past.changes': ofHost,
  'past.hosts': never,
  'past.map': never,
  'past.migrations': never,
  'migration.list': always,
  'migration.counts': holdings,
  'migration.byId': (touched, { id }) => touched.migrations.has(String(id)),
  'migration.facts': either((touched, { id }) => touched.migrations.has(String(id)), about('survey')),
  'migration.stepTimes': never,
  'migration.consequences': never,
  'event.since': never,
  'event.list': (touched, { host, instance, migration }) =>
    !touched.onlyProgress &&
    (host ? touched.hosts.has(String(host)) : true) &&
    (instance ? touched.instances.has(String(instance)) : true) &&
    (migration ? touched.migrations.has(String(migration)) : true),
  'task.list': holdings,
  // Its rows would move while being read; the page refetches on request.
  'auditLog.list': never,
  'auditLog.sealed': never,
  // Results for the text typed a moment ago; the next letter searches again.
  'search.find': never,
  'view.list': never,
  'flavor.list': about('catalog'),
  'image.list': never,
  'group.list': about('catalog', 'instance'),
  'user.list': never,
  'user.rights': never,
  'user.scopes': never,
  'user.sessions': never,
  'token.list': never,
  // Findings change by an audit or a repair, and both write events; the audit checks concurrent migrations itself.
  'finding.list': about('finding', 'heal', 'audit'),
  'finding.byId': about('finding', 'heal', 'audit'),
  'finding.status': about('finding', 'heal', 'audit', 'survey'),
  'finding.drift': either(ofNamed, about('finding', 'heal', 'survey')),
  'finding.deviceDrift': either(ofNamed, about('finding', 'heal', 'survey')),
  'finding.rules': about('finding', 'heal'),
  'heal.list': about('heal', 'finding', 'proposal'),
  'heal.byId': about('heal', 'finding', 'proposal'),
  'advice.migration': either((touched, { id }) => touched.migrations.has(String(id)), about('finding', 'heal')),
  'advice.host': either(ofHost, about('finding', 'heal')),
  'proposal.list': about('proposal', 'heal', 'host'),
  // A bundle shows the time of its request.
  'bundle.create': never,
  'run.list': either(about('run'), holdings),
  'run.byId': either(about('run'), holdings),
  'run.evacuation': either(about('run', 'proposal'), (touched, { host }) => touched.hosts.has(String(host))),
  'run.evacuationPlan': either(about('run'), (touched, { host }) => touched.hosts.has(String(host))),
  'layout.list': about('layout'),
  'layout.plan': either(about('layout'), ofNamed),
} satisfies Record<QueryPath, Rule>

const PROGRESS_KINDS: ReadonlySet<string> = new Set(['migration.progressed', 'cloud.read'])

export function invalidatedBy(events: readonly StreamEvent[]): InvalidationScope {
  return {
    hosts: new Set(events.flatMap((event) => event.hosts)),
    instances: new Set(events.flatMap((event) => event.instance ?? [])),
    migrations: new Set(events.flatMap((event) => event.migration ?? [])),
    nouns: new Set(events.map(({ kind }) => kind.split('.')[0] ?? kind)),
    onlyProgress: events.every((event) => PROGRESS_KINDS.has(event.kind)),
  }
}

/** `key` is a tRPC query key: the path, then the input. */
export function isInvalidatedBy(key: readonly unknown[], touched: InvalidationScope): boolean {
  const [path, asked] = key as [(readonly string[])?, { input?: Record<string, unknown> }?]
  const rule = (RULES as Readonly<Record<string, Rule>>)[path?.join('.') ?? '']
  return rule?.(touched, asked?.input ?? {}) ?? false
}
