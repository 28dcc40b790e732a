import type { ClaimTotals } from '@/server/api/claim/view'
import type { Ref } from '@/server/api/names/names'
import type { PlannedMigration, RunDetail } from '@/server/api/run/view'

// The plan as a placement view: hosts are columns, instances are blocks. Every picture is computed from the migrations
// in order and never stored, so that the replay matches the plan.

export interface Block {
  readonly instance: Ref
  readonly held: ClaimTotals
  readonly stopped: boolean
}

export interface Column {
  readonly host: Ref
  readonly capacity: RunDetail['placement'][number]['capacity']
  readonly blocks: readonly Block[]
}

export const cpusOf = (held: ClaimTotals): number => Math.max(held.pinnedCpus, held.vcpus)
export const capacityOf = ({ capacity }: Pick<Column, 'capacity'>): number => capacity.pcpu + capacity.vcpu
export const usedBy = (blocks: readonly Block[]): number => blocks.reduce((sum, { held }) => sum + cpusOf(held), 0)
export const memoryBy = (blocks: readonly Block[]): number => blocks.reduce((sum, { held }) => sum + held.memoryMib, 0)

/** A visible step: an instance that moves to a host, or is stopped in place. */
const isStep = ({ method, to, state }: PlannedMigration): boolean =>
  method !== null &&
  (to !== null || method === 'stop') &&
  state !== 'skipped' &&
  state !== 'stays' &&
  state !== 'blocked'

/** Ordered by batch, then by number. */
export const stepsOf = (migrations: readonly PlannedMigration[]): readonly PlannedMigration[] =>
  migrations.filter(isStep).sort((a, b) => a.wave - b.wave || a.n - b.n)

type PlacementSteps = Pick<RunDetail, 'placement' | 'migrations'>

/** The placement after the first `done` steps; 0 is before the plan, regardless of what has been carried out. */
export function placementAfter({ placement, migrations }: PlacementSteps, done: number): readonly Column[] {
  const steps = stepsOf(migrations)
  const at = new Map<string, { host: string; block: Block }>()
  for (const { host, guests: instances } of placement)
    for (const { instance, held } of instances)
      at.set(instance.id, { host: host.id, block: { instance, held, stopped: false } })
  for (const { instance, held, from } of [...steps].reverse())
    at.set(instance.id, { host: from.id, block: { instance, held, stopped: false } })
  for (const { instance, to, method } of steps.slice(0, done)) {
    const now = at.get(instance.id)
    if (now) at.set(instance.id, { host: to?.id ?? now.host, block: { ...now.block, stopped: method === 'stop' } })
  }
  const columns = new Map<string, Block[]>(placement.map(({ host }) => [host.id, []]))
  for (const { host, block } of at.values()) columns.get(host)?.push(block)
  return placement.map(({ host, capacity }) => ({ host, capacity, blocks: sorted(columns.get(host.id) ?? []) }))
}

/** Large blocks first, at the bottom of their column; names break ties, so that blocks keep their order. */
const sorted = (blocks: readonly Block[]) =>
  [...blocks].sort((a, b) => cpusOf(b.held) - cpusOf(a.held) || a.instance.name.localeCompare(b.instance.name))
