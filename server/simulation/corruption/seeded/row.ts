import { withoutHolding } from '../../../engine/holdings'
import type { Holding } from '../../../engine/host'
import type { LedgerDraft } from '../../../engine/ledger/ledger'
import { OPERATIONS, OUTCOMES, STEPS } from '../../../engine/migration/state'
import type { HostId, InstanceId, MigrationId } from '../../../engine/words/ids'
import type { Chance } from '../../chance'
import { idOf } from '../../hardware'

// Corrupts one row: a migration, a leftover, a claim or an instance. The tables accept every value, so only a proof of
// the records can detect it. The database constraints still hold: an ended migration has an outcome, an instance has one active
// migration, a consumer has one claim, and a claim names an existing host.

export interface Corruption {
  readonly what: string
  /** The instance whose own row is false, and therefore no longer evidence. */
  readonly instance: InstanceId | null
}

type Corrupt = (rows: LedgerDraft, chance: Chance) => Corruption | null

const DANGLING = 999
const flip = (side: 'source' | 'target') => (side === 'source' ? 'target' : 'source')

const anyHost = (rows: LedgerDraft, chance: Chance): HostId => chance.pick([...rows.hosts.keys()])!
const hostOrNot = (rows: LedgerDraft, chance: Chance): HostId | null =>
  chance.pick([null, idOf(1, DANGLING) as HostId, anyHost(rows, chance), anyHost(rows, chance)])!
const anyInstance = (rows: LedgerDraft, chance: Chance): InstanceId =>
  chance.pick([...rows.instances.keys(), idOf(5, DANGLING) as InstanceId])!

const migrations = (rows: LedgerDraft) => [...rows.migrations.values()]
const isFree = (rows: LedgerDraft, instance: InstanceId, but: MigrationId) =>
  !migrations(rows).some((each) => each.instance === instance && each.step !== 'ended' && each.id !== but)

/** A migration in progress if there is one, else an ended one. */
function anyMigration(rows: LedgerDraft, chance: Chance) {
  const active = migrations(rows).filter(({ step }) => step !== 'ended')
  return chance.pick(active.length > 0 && chance.permille(800) ? active : migrations(rows))
}

const MIGRATION: Corrupt = (rows, chance) => {
  const row = anyMigration(rows, chance)
  if (row === undefined) return null
  const column = chance.pick(Object.keys(MIGRATION_COLUMNS))!
  const set = MIGRATION_COLUMNS[column]!(rows, chance, row)
  const next = { ...row, ...set }
  if (next.step !== 'ended' && !isFree(rows, next.instance, row.id)) return null
  rows.migrations.set(row.id, next)
  return { what: `migration ${row.operation} in ${row.step}: ${JSON.stringify(set)}`, instance: null }
}

type Row = ReturnType<typeof migrations>[number]

const MIGRATION_COLUMNS: Readonly<Record<string, (rows: LedgerDraft, chance: Chance, row: Row) => Partial<Row>>> = {
  instance: (rows, chance) => ({ instance: anyInstance(rows, chance) }),
  source: (rows, chance) => ({ source: hostOrNot(rows, chance) }),
  target: (rows, chance) => ({ target: hostOrNot(rows, chance) }),
  sides: (_, __, { source, target }) => ({ source: target, target: source }),
  direction: (_, __, { direction }) => ({ direction: flip(direction) }),
  home: (_, __, { home }) => ({ home: flip(home) }),
  operation: (_, chance) => ({ operation: chance.pick(OPERATIONS)! }),
  step: (_, chance, { outcome }) => {
    const step = chance.pick(STEPS)!
    return { step, outcome: step === 'ended' ? (outcome ?? chance.pick(OUTCOMES)!) : null, nextAt: 0 }
  },
  handedOver: (_, __, { handedOver }) => ({ handedOver: !handedOver }),
  forced: (_, __, { forced }) => ({ forced: !forced }),
  keepsClaim: (_, __, { keepsClaim }) => ({ keepsClaim: !keepsClaim }),
  requestedAction: (_, chance) => ({ requestedAction: chance.pick(['abort', 'confirm', 'revert'] as const)! }),
}

/** A migration that nobody requested, modelled on an existing one. */
const BOGUS: Corrupt = (rows, chance) => {
  const model = chance.pick(migrations(rows))
  const instance = chance.pick([...rows.instances.values()])
  if (model === undefined || instance === undefined) return null
  const id = idOf(3, DANGLING) as MigrationId
  const step = chance.pick(STEPS.filter((each) => each !== 'ended'))!
  const [source, target] = chance.permille(500)
    ? [instance.host, anyHost(rows, chance)]
    : [anyHost(rows, chance), instance.host]
  const sides = {
    direction: chance.pick(['source', 'target'] as const)!,
    home: chance.pick(['source', 'target'] as const)!,
  }
  const row = {
    ...model,
    id,
    instance: instance.id,
    source,
    target,
    step,
    ...sides,
    outcome: null,
    waiting: null,
    nextAt: 0,
  }
  if (!isFree(rows, instance.id, id)) return null
  rows.migrations.set(id, row)
  return { what: `a bogus ${row.operation} in ${step} of ${instance.name}, ${JSON.stringify(sides)}`, instance: null }
}

const REMAIN: Corrupt = (rows, chance) => {
  const listed = [...rows.leftovers].flatMap(([host, all]) => all.map((remain) => ({ host, remain })))
  const old = chance.permille(500) ? chance.pick(listed) : undefined
  const host = old === undefined || chance.permille(300) ? anyHost(rows, chance) : old.host
  const any = { instance: anyInstance(rows, chance), migration: chance.pick([null, ...rows.migrations.keys()])! }
  const made = { ...any, side: chance.pick(['source', 'target'] as const)! }
  const column = chance.pick(['instance', 'migration', 'side'] as const)!
  const remain = old === undefined ? made : { ...old.remain, [column]: made[column] }
  if (old !== undefined)
    rows.leftovers.set(
      old.host,
      (rows.leftovers.get(old.host) ?? []).filter((each) => each !== old.remain),
    )
  rows.leftovers.set(host, [...(rows.leftovers.get(host) ?? []), remain])
  for (const id of new Set([host, old?.host ?? host])) {
    const row = rows.hosts.get(id)!
    rows.hosts.set(id, { ...row, leftovers: [...new Set((rows.leftovers.get(id) ?? []).map((each) => each.instance))] })
  }
  return { what: `leftover on ${host}: ${JSON.stringify(remain)}`, instance: null }
}

const CLAIM: Corrupt = (rows, chance) => {
  const held = [...rows.hosts.values()].flatMap((host) => host.holdings.map((holding) => ({ host, holding })))
  const picked = chance.pick(held)
  if (picked === undefined) return null
  const { host, holding } = picked
  const consumer = chance.pick([...rows.instances.keys(), ...rows.migrations.keys(), idOf(3, DANGLING) as MigrationId])!
  const isTaken = held.some((each) => each.holding.consumer === consumer)
  const sets: readonly Partial<Holding>[] = [
    { consumerKind: holding.consumerKind === 'instance' ? 'migration' : 'instance' },
    { instance: chance.pick([...rows.instances.keys()])! },
    ...(isTaken ? [] : [{ consumer }]),
  ]
  const set = chance.pick([...sets, 'moved', 'deleted'] as const)!
  if (typeof set === 'string') rows.hosts.set(host.id, withoutHolding(host, holding.claim))
  else {
    const holdings = host.holdings.map((each) => (each === holding ? { ...each, ...set } : each))
    rows.hosts.set(host.id, { ...host, holdings })
  }
  if (set === 'moved') {
    const other = rows.hosts.get(anyHost(rows, chance))!
    rows.hosts.set(other.id, { ...other, holdings: [...other.holdings, holding] })
  }
  return { what: `claim of ${holding.consumer} on ${host.name}: ${JSON.stringify(set)}`, instance: null }
}

const INSTANCE: Corrupt = (rows, chance) => {
  // An instance that was never built is on no host, and only two observations of its host could tell.
  const row = chance.pick([...rows.instances.values()].filter(({ vmState }) => vmState !== 'building'))
  if (row === undefined) return null
  const set = chance.permille(700)
    ? { host: chance.pick([null, anyHost(rows, chance)])! }
    : { vmState: chance.pick(['building', 'active', 'shelved', 'error', 'deleting'] as const)! }
  rows.instances.set(row.id, { ...row, ...set })
  return { what: `instance ${row.name} (${row.vmState}): ${JSON.stringify(set)}`, instance: row.id }
}

const WEIGHTS = { migration: 40, bogus: 20, remain: 20, claim: 15, instance: 10 } as const
const CORRUPTIONS: { readonly [K in keyof typeof WEIGHTS]: Corrupt } = {
  migration: MIGRATION,
  bogus: BOGUS,
  remain: REMAIN,
  claim: CLAIM,
  instance: INSTANCE,
}

export type CorruptedTable = keyof typeof WEIGHTS

/** Corrupts one row; null if the fleet has no suitable one. */
export function corrupt(rows: LedgerDraft, chance: Chance): (Corruption & { readonly table: CorruptedTable }) | null {
  const table = chance.weighted(WEIGHTS)
  const corruption = CORRUPTIONS[table](rows, chance)
  return corruption && { ...corruption, table }
}
