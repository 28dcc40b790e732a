import type { MigrationView } from '@/server/api/contract-moves'
import type { Operation } from '@/server/engine/migration/state'

// Every address of the console is built here and nowhere else. What a screen shows is in its address, so a link
// sent to a colleague opens the same picture.

export type HostTab = 'map' | 'instances' | 'claims' | 'moves' | 'facts' | 'events'
export type InstanceTab = 'holdings' | 'moves' | 'facts' | 'events'
export type MigrationTab = 'timeline' | 'mapping' | 'claims' | 'transfer' | 'events'

type Query = Readonly<Record<string, string | undefined>>

function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) if (value) params.set(key, value)
  const text = params.toString()
  return text ? `${path}?${text}` : path
}

export const paths = {
  overview: () => '/overview',
  hosts: (query: { q?: string; truth?: string; admission?: string; zone?: string } = {}) => withQuery('/hosts', query),
  host: (id: string, query: { tab?: HostTab; unit?: string } = {}) => withQuery(`/hosts/${id}`, query),
  instances: (query: { q?: string; vmState?: string; moving?: string } = {}) => withQuery('/instances', query),
  instance: (id: string, query: { tab?: InstanceTab } = {}) => withQuery(`/instances/${id}`, query),
  migrations: (query: { view?: MigrationView; operation?: string; q?: string } = {}) => withQuery('/migrations', query),
  migration: (id: string, query: { tab?: MigrationTab } = {}) => withQuery(`/migrations/${id}`, query),
  /** The start-a-move drawer over the instance's own page. */
  startMove: (instance: string, operation: Operation) =>
    withQuery(`/instances/${instance}`, { move: instance, operation }),
  build: () => withQuery('/instances', { build: 'yes' }),
  signIn: (next?: string) => withQuery('/sign-in', { next }),
} as const
