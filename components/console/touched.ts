import type { Procedures, StreamItem } from '@/server/api/contract-moves'

// Which questions an event makes old. Total over the API's queries: a new query does not compile until somebody has
// decided what makes it old.

export interface Touched {
  readonly hosts: ReadonlySet<string>
  readonly instances: ReadonlySet<string>
  readonly migrations: ReadonlySet<string>
  /** Only the progress of transfers was told: nobody's holdings changed. */
  readonly onlyProgress: boolean
}

type QueryPath = { [P in keyof Procedures]: Procedures[P]['type'] extends 'query' ? P : never }[keyof Procedures]
type Rule = (touched: Touched, input: Readonly<Record<string, unknown>>) => boolean

const always: Rule = () => true
const never: Rule = () => false
const holdings: Rule = (touched) => !touched.onlyProgress
const ofHost: Rule = (touched, { id }) => !touched.onlyProgress && touched.hosts.has(String(id))

const RULES = {
  'session.me': never,
  'overview.get': always,
  'host.list': holdings,
  'host.zones': never,
  'host.byId': ofHost,
  'host.map': ofHost,
  'host.claims': ofHost,
  'host.consequences': never,
  'instance.list': holdings,
  'instance.byId': (touched, { id }) => touched.instances.has(String(id)),
  // What was explained is a question with a time on it; asking again is the person's to decide.
  'move.explain': never,
  'move.plan': never,
  'migration.list': always,
  'migration.counts': holdings,
  'migration.byId': (touched, { id }) => touched.migrations.has(String(id)),
  'migration.consequences': never,
  'event.list': (touched, { host, instance, migration }) =>
    !touched.onlyProgress &&
    (host ? touched.hosts.has(String(host)) : true) &&
    (instance ? touched.instances.has(String(instance)) : true) &&
    (migration ? touched.migrations.has(String(migration)) : true),
  'flavor.list': never,
  'image.list': never,
  'group.list': never,
  'user.list': never,
} satisfies Record<QueryPath, Rule>

const PROGRESS_KINDS: ReadonlySet<string> = new Set(['migration.progressed'])

type StreamEvent = Extract<StreamItem, { is: 'event' }>

export function touchedBy(events: readonly StreamEvent[]): Touched {
  return {
    hosts: new Set(events.flatMap((event) => event.hosts)),
    instances: new Set(events.flatMap((event) => event.instance ?? [])),
    migrations: new Set(events.flatMap((event) => event.migration ?? [])),
    onlyProgress: events.every((event) => PROGRESS_KINDS.has(event.kind)),
  }
}

/** `key` is a tRPC query key: the path, then what was asked. */
export function isTouched(key: readonly unknown[], touched: Touched): boolean {
  const [path, asked] = key as [(readonly string[])?, { input?: Record<string, unknown> }?]
  const rule = (RULES as Readonly<Record<string, Rule>>)[path?.join('.') ?? '']
  return rule?.(touched, asked?.input ?? {}) ?? false
}
