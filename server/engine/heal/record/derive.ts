import type { BrokenRecord } from '../../audit/snapshot'
import type { Instance } from '../../change'
import type { Holding } from '../../host'
import { isOff } from '../../power/state'
import type { HostId, InstanceId } from '../../words/ids'
import type { RawValue } from '../../words/unreadable'
import type { HealContext } from '../context'
import { repairInstance } from '../instance-repair'
import { locateInstance } from '../proof'

// Derives a column from other rows and from hypervisors, so that no operator has to recall it. `undefined`: unknown.

export type DerivedValue = { readonly value: RawValue | undefined } | { readonly whyNot: string }

const NOTHING: DerivedValue = { value: undefined }

export function derived(context: HealContext, record: BrokenRecord): DerivedValue {
  const { table, column } = record
  if (HELD.includes(table)) return heldValue(context, record)
  const value = BY_ROWS[`${table}.${column}`]?.(context, record)
  return value === undefined ? NOTHING : { value }
}

const HELD = ['allocation', 'claim', 'claim_cell', 'unit_holding']

type ByRows = (context: HealContext, record: BrokenRecord) => RawValue | undefined

const BY_ROWS: Readonly<Record<string, ByRows>> = {
  'host.layout': ({ records }, { raw }) => {
    const host = records.hosts.get(raw.key.id as HostId)
    if (host === undefined) return undefined
    return host.providers.some(({ parent, sharing }) => parent !== null && !sharing) ? 'nested' : 'flat'
  },
  'instance.vm_state': (context, { raw }) => stateOf(context, raw.key.id as InstanceId),
  'instance.flavor': (context, { raw }) => lastShape(context, raw.key.id as InstanceId)?.flavor,
  'instance.image': (context, { raw }) => lastShape(context, raw.key.id as InstanceId)?.image,
  'instance.host_id': ({ snapshot }, { raw }) => {
    const held = snapshot.hosts.filter(({ holdings }) => holdings.some(({ consumer }) => consumer === raw.key.id))
    return held.length === 1 ? held[0]?.id : undefined
  },
  'migration.old_flavor': (context, record) => oldShape(context, record)?.flavor,
  'migration.old_image': (context, record) => oldShape(context, record)?.image,
  'migration.new_flavor': (context, record) => unchangedShape(context, record)?.flavor,
  'migration.new_image': (context, record) => unchangedShape(context, record)?.image,
}

type Shape = Pick<Instance, 'flavor' | 'image'>

/** The state that matches the power in both surveys of its host. */
function stateOf(context: HealContext, instance: InstanceId): RawValue | undefined {
  const there = locateInstance(context, instance)
  if (there.is !== 'proven') return undefined
  const powers = [context.latest, context.earlier].map((round) => {
    return round.of(instance).find(({ host }) => host === there.host)?.domain.power?.state
  })
  const [power, before] = powers
  if (power === undefined || power !== before) return undefined
  if (power === 'running') return 'active'
  if (power === 'paused') return 'paused'
  return isOff(power) ? 'stopped' : undefined
}

/** Its shape by its last readable migration. */
function lastShape({ migrationsOf }: HealContext, instance: InstanceId): Shape | undefined {
  const migrations = (migrationsOf.get(instance) ?? []).filter(({ unreadable }) => unreadable === undefined)
  const last = [...migrations].sort((one, other) => other.stepSince - one.stepSince)[0]
  if (last === undefined) return undefined
  return last.home === 'target' && last.outcome !== 'failed'
    ? { flavor: last.newFlavor, image: last.newImage }
    : { flavor: last.oldFlavor, image: last.oldImage }
}

/** Before it ends, and unless it is resized or rebuilt, both shapes are the instance's own. */
function oldShape({ records, snapshot }: HealContext, { raw }: BrokenRecord): Shape | undefined {
  const migration = snapshot.migrations.find(({ id }) => id === raw.key.id)
  const instance = migration && records.instances.get(migration.instance)
  if (!migration || !instance || instance.unreadable !== undefined) return undefined
  return migration.outcome === null || !RESHAPES.includes(migration.operation) ? instance : undefined
}

function unchangedShape(context: HealContext, record: BrokenRecord): Shape | undefined {
  const migration = context.snapshot.migrations.find(({ id }) => id === record.raw.key.id)
  return migration && !RESHAPES.includes(migration.operation) ? oldShape(context, record) : undefined
}

const RESHAPES = ['resize', 'rebuild']

/** Amounts, NUMA nodes and units follow from the flavor, and from both surveys of the domain. */
function heldValue(context: HealContext, record: BrokenRecord): DerivedValue {
  const instance = holderOf(context, record)
  if (instance === null) return NOTHING
  const repaired = repairInstance(readable(context), instance)
  if (!repaired.ok) return { whyNot: repaired.why }
  for (const { holding } of repaired.after) {
    const value = VALUES[record.table]?.(holding, record)
    if (value !== undefined) return { value }
  }
  return NOTHING
}

function holderOf({ snapshot, records }: HealContext, { raw: { key } }: BrokenRecord): InstanceId | null {
  for (const { holdings } of snapshot.hosts) {
    for (const { claim, consumer, instance } of holdings) {
      if (key.consumer_id === consumer || key.claim_id === claim || key.id === claim) return instance
    }
  }
  return records.instances.get(key.consumer_id as InstanceId)?.id ?? null
}

/** Placeholders in one claim leave the rest of its host unchanged, and only that claim is decided here. */
function readable(context: HealContext): HealContext {
  const hosts = new Map(
    [...context.records.hosts].map(([id, host]) => {
      const { unreadable = [], ...rest } = host
      return [id, unreadable.every(({ table }) => HELD.includes(table)) ? rest : host] as const
    }),
  )
  return { ...context, records: { ...context.records, hosts } }
}

type Value = (holding: Holding, record: BrokenRecord) => RawValue | undefined

const VALUES: Readonly<Record<string, Value>> = {
  allocation: ({ consumer, body }, { raw: { key }, column }) => {
    if (column !== 'amount' || consumer !== key.consumer_id) return undefined
    const row = body.amounts.find(
      (each) => each.provider === key.provider_id && each.resourceClass === key.resource_class,
    )
    return row && String(row.amount)
  },
  claim: ({ consumer, consumerKind }, { column, raw }) =>
    column === 'consumer_kind' && raw.columns.consumer_id === consumer ? consumerKind : undefined,
  claim_cell: ({ claim, body }, { column, raw: { key } }) => {
    const node = body.cells.find(({ guestCell }) => claim === key.claim_id && String(guestCell) === key.guest_cell)
    if (node === undefined) return undefined
    return {
      memory_mib: String(node.memoryMib),
      page_kib: node.pageKib === null ? null : String(node.pageKib),
      shared_vcpus: node.sharedVcpus,
      pins: node.pins,
      reserved_cpus: node.reservedCpus,
      cpu_policy: node.cpuPolicy,
      thread_policy: node.threadPolicy,
    }[column]
  },
}
