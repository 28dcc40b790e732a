import { type Conflict, type Guards, instanceGuards } from '../change'
import { isStrict } from '../group'
import { IN_FLIGHT_STEPS } from '../migration/operations'
import type { ProviderId } from '../words/ids'
import type { Ledger, LedgerDraft } from './ledger'

// Generations are checked before anything is written, and each guarded row is raised by one when the change commits.

export function guardConflict(ledger: Ledger, guards: Guards): Conflict | null {
  for (const { provider, generation } of guards.providers) {
    const found = generationOf(ledger, provider)
    if (found === undefined || (generation !== null && generation !== found)) {
      return conflict('provider', provider, { generation: generation ?? 'any', found })
    }
  }
  const { migration, group } = guards
  for (const instance of instanceGuards(guards)) {
    const found = ledger.instances.get(instance.id)?.generation
    if (found !== instance.generation) return conflict('instance', instance.id, { ...instance, found })
  }
  if (migration !== null) {
    const row = ledger.migrations.get(migration.id)
    if (row !== undefined && migration.fence !== null && row.fence !== migration.fence) {
      return conflict('fence', migration.id, { generation: migration.fence, found: row.fence })
    }
    if (row?.generation !== migration.generation) {
      return conflict('migration', migration.id, { ...migration, found: row?.generation })
    }
  }
  return groupConflict(ledger, group) ?? limitConflict(ledger, guards)
}

function groupConflict({ groups }: Ledger, group: Guards['group']): Conflict | null {
  if (group === null) return null
  const { id, generation } = group
  const found = groups.get(id)
  if (generation !== null) {
    return found?.generation === generation ? null : conflict('group', id, { generation, found: found?.generation })
  }
  return found && !isStrict(found)
    ? null
    : { on: 'group', id, expected: 'a soft policy', found: found?.policy ?? 'absent' }
}

function limitConflict({ migrations }: Ledger, { migration, fleetLimit }: Guards): Conflict | null {
  if (migration === null || fleetLimit === undefined) return null
  const moving = [...migrations.values()].filter(
    ({ outcome, step }) => outcome === null && IN_FLIGHT_STEPS.includes(step),
  )
  if (moving.length < fleetLimit) return null
  return { on: 'limit', id: migration.id, expected: `fewer than ${fleetLimit} in flight`, found: `${moving.length}` }
}

interface GenerationMismatch {
  readonly generation: number | 'any'
  readonly found: number | undefined
}

const conflict = (on: Conflict['on'], id: string, { generation, found }: GenerationMismatch): Conflict => ({
  on,
  id,
  expected: `${generation}`,
  found: `${found ?? 'absent'}`,
})

function generationOf({ hosts }: Ledger, provider: ProviderId): number | undefined {
  for (const host of hosts.values()) {
    const row = host.providers.find((each) => each.id === provider)
    if (row !== undefined) return row.generation
  }
  return undefined
}

/** Instances, migration and group; providers are raised together with those whose rows were touched. */
export function raiseGuarded(draft: LedgerDraft, guards: Guards): void {
  const { migration, group } = guards
  for (const { id } of instanceGuards(guards)) raise(draft.instances, id)
  if (migration !== null) raise(draft.migrations, migration.id)
  if (group !== null && group.generation !== null) raise(draft.groups, group.id)
}

function raise<K, V extends { readonly generation: number }>(table: Map<K, V>, id: K): void {
  const row = table.get(id)
  if (row !== undefined) table.set(id, { ...row, generation: row.generation + 1 })
}
