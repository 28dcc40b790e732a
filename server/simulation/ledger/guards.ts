import type { Conflict, Guards } from '../../engine/books'
import type { Host } from '../../engine/host'
import type { HostId, ProviderId } from '../../engine/words/ids'
import type { Rows } from './in-memory'

// Generations are checked before anything is written, and each guarded row is raised by one when the change lands.

export function guardConflict(rows: Rows, guards: Guards): Conflict | null {
  for (const { provider, generation } of guards.providers) {
    const found = generationOf(rows, provider)
    if (generation !== null && generation !== found) return conflict('provider', provider, { generation, found })
  }
  const { instance, migration, group } = guards
  if (instance !== null) {
    const found = rows.instances.get(instance.id)?.generation
    if (found !== instance.generation) return conflict('instance', instance.id, { ...instance, found })
  }
  if (migration !== null) {
    const row = rows.migrations.get(migration.id)
    if (migration.fence !== null && row?.fence !== migration.fence) {
      return conflict('fence', migration.id, { generation: migration.fence, found: row?.fence })
    }
    if (row?.generation !== migration.generation) {
      return conflict('migration', migration.id, { ...migration, found: row?.generation })
    }
  }
  if (group !== null) {
    const found = rows.groups.get(group.id)?.generation
    if (found !== group.generation) return conflict('group', group.id, { ...group, found })
  }
  return null
}

interface Differs {
  readonly generation: number
  readonly found: number | undefined
}

const conflict = (on: Conflict['on'], id: string, { generation, found }: Differs): Conflict => ({
  on,
  id,
  expected: `${generation}`,
  found: `${found ?? 'none'}`,
})

function generationOf(rows: Rows, provider: ProviderId): number | undefined {
  for (const host of rows.hosts.values()) {
    const row = host.providers.find((each) => each.id === provider)
    if (row !== undefined) return row.generation
  }
  return undefined
}

export function raiseGuarded(draft: Rows, guards: Guards): void {
  for (const { provider } of guards.providers) raiseProvider(draft, provider)
  const { instance, migration, group } = guards
  if (instance !== null) raise(draft.instances, instance.id)
  if (migration !== null) raise(draft.migrations, migration.id)
  if (group !== null) raise(draft.groups, group.id)
}

function raise<K, V extends { readonly generation: number }>(table: Map<K, V>, id: K): void {
  const row = table.get(id)
  if (row !== undefined) table.set(id, { ...row, generation: row.generation + 1 })
}

// A sharing provider is seen from many hosts and is one row: it is raised in all of them.
function raiseProvider(draft: Rows, provider: ProviderId): void {
  for (const host of draft.hosts.values()) {
    if (host.providers.some((each) => each.id === provider)) draft.hosts.set(host.id, raisedIn(host, provider))
  }
}

/** For writes that change a host without a guard of their own. */
export function raiseRoot(draft: Rows, id: HostId): void {
  const host = draft.hosts.get(id)
  const root = host?.providers[0]
  if (host !== undefined && root !== undefined) draft.hosts.set(id, raisedIn(host, root.id))
}

function raisedIn(host: Host, provider: ProviderId): Host {
  const providers = host.providers.map((each) =>
    each.id === provider ? { ...each, generation: each.generation + 1 } : each,
  )
  return { ...host, providers }
}
