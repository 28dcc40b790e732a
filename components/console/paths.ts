import type { MigrationView } from '@/server/api/migration/router'
import type { HostAction } from '@/server/api/permit/permits'
import type { FindingKind } from '@/server/engine/audit/finding'
import type { Operation } from '@/server/engine/migration/state'

// All addresses of the console are built here. The address holds what a screen shows, so a link sent to a colleague
// opens the same picture.

export type HostTab = 'map' | 'instances' | 'claims' | 'migrations' | 'findings' | 'adviser' | 'facts' | 'events'
export type InstanceTab = 'claims' | 'migrations' | 'findings' | 'facts' | 'events'
export type CloudTab = 'overview' | 'hosts' | 'instances' | 'migrations' | 'drift' | 'findings'
export type MigrationTab =
  | 'timeline'
  | 'mapping'
  | 'claims'
  | 'transfer'
  | 'facts'
  | 'adviser'
  | 'findings'
  | 'events'
  | 'raw'

/** A custom shape, as `explain` and `overview` read it from their address. */
export interface ShapeQuery {
  readonly flavor?: string
  readonly vcpus?: string
  readonly memory?: string
  readonly disk?: string
  readonly specs?: string
}

export interface ExplainQuery extends ShapeQuery {
  readonly image?: string
  readonly zone?: string
  readonly group?: string
  readonly instance?: string
  readonly operation?: Operation
  readonly host?: string
}

type Query = Readonly<Record<string, string | undefined>>

function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value) params.set(key, value)
  const text = params.toString()
  return text ? `${path}?${text}` : path
}

export const paths = {
  overview: (query: ShapeQuery & { shade?: 'room' } = {}) => withQuery('/overview', { ...query }),
  /** `add`: with the drawer that adds a host. */
  hosts: (query: { q?: string; status?: string; scheduling?: string; zone?: string; add?: 'host' } = {}) =>
    withQuery('/hosts', query),
  /** `at`: as of that time, in ISO 8601. `drain`: with the drain dialog. `act`: with the dialog of a host action. */
  host: (id: string, query: { tab?: HostTab; unit?: string; at?: string; drain?: 'yes'; act?: HostAction } = {}) =>
    withQuery(`/hosts/${id}`, query),
  instances: (query: { q?: string; vmState?: string; moving?: string } = {}) => withQuery('/instances', query),
  instance: (id: string, query: { tab?: InstanceTab } = {}) => withQuery(`/instances/${id}`, query),
  migrations: (query: { view?: MigrationView; operation?: string; q?: string } = {}) => withQuery('/migrations', query),
  /** `at`: linked from a page of that time; the page notes that it shows the present. */
  migration: (id: string, query: { tab?: MigrationTab; at?: string } = {}) => withQuery(`/migrations/${id}`, query),
  /** The start-migration drawer over the instance's own page. */
  startMigration: (instance: string, operation: Operation) =>
    withQuery(`/instances/${instance}`, { move: instance, operation }),
  heal: ({ kind, finding }: { kind?: FindingKind; finding?: string } = {}) =>
    withQuery('/heal', { q: kind && `kind:${kind}`, finding }),
  healPlan: (id: string) => `/heal/${id}`,
  drains: () => '/drains',
  drain: (id: string) => `/drains/${id}`,
  evacuate: (host: string) => `/hosts/${host}/evacuate`,
  layout: (query: { host?: string } = {}) => withQuery('/layout', query),
  /** The runbook page for one kind of finding. */
  runbook: (kind: FindingKind) => `/runbook/${kind}`,
  /** Why no host fits, with the whole request in the address. */
  explain: (query: ExplainQuery = {}) => withQuery('/explain', { ...query }),
  claims: (query: { q?: string; at?: string } = {}) => withQuery('/claims', query),
  /** With a unit, that device of the host is selected. */
  devices: (query: { q?: string; host?: string; unit?: string } = {}) => withQuery('/devices', query),
  capacity: () => '/capacity',
  /** With a tree, it is selected beside the list. */
  providers: (query: { q?: string; tree?: string } = {}) => withQuery('/providers', query),
  provider: (root: string) => `/providers/${root}`,
  /** `add`: with the drawer that adds a cloud. */
  clouds: (query: { add?: 'cloud' } = {}) => withQuery('/clouds', query),
  /** `picked`: the row selected beside its list. */
  cloud: (id: string, query: { tab?: CloudTab; q?: string; picked?: string } = {}) => withQuery(`/clouds/${id}`, query),
  cloudHost: (id: string, host: string) => `/clouds/${id}/hosts/${encodeURIComponent(host)}`,
  users: () => '/users',
  account: () => '/account',
  auditLog: (query: { q?: string } = {}) => withQuery('/audit-log', query),
  alarms: () => '/alarms',
  tasks: (query: { q?: string } = {}) => withQuery('/tasks', query),
  settings: () => '/settings',
  /** Flavors, server groups and PCI aliases. */
  catalog: (query: { tab?: 'flavors' | 'groups' | 'aliases' } = {}) => withQuery('/settings/catalog', query),
  build: () => withQuery('/instances', { build: 'yes' }),
  signIn: (next?: string) => withQuery('/sign-in', { next }),
} as const
