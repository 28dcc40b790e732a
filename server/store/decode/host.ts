import { z } from 'zod'
import { UNIT_KINDS } from '../../engine/words/units'
import type { Unreadable } from '../../engine/words/unreadable'
import type { AmountJson, HoldingJson, HostJson, ProviderJson } from '../host/read'
import { flag, listOf, text, whole, words } from './columns'
import { column, type Note, type RowDecoder, rowDecoder } from './row'

// The rows that one host is read from, in the places where HOST_JSON puts their columns.

const wholes = listOf(whole, 'whole numbers')
const cpuList = column('', wholes, [])

const HOST = rowDecoder<HostJson>('host', {
  1: column('name', text, 'unreadable'),
  2: column('truth', words(['up', 'down', 'fenced', 'gone']), 'down'),
  3: column('admission', words(['open', 'disabled', 'quarantined']), 'disabled'),
  5: column(
    'cpu',
    z.looseObject(
      { arch: text, vendor: text, model: text, features: listOf(text, 'features') },
      'expected a CPU: arch, vendor, model, features',
    ),
    { arch: '', vendor: '', model: '', features: [] },
  ),
  6: column('layout', words(['flat', 'nested']), 'flat'),
  7: column('driver', words(['simulated', 'libvirt', 'openstack']), 'libvirt'),
  14: column('memory', words(['nova', 'exact']), 'exact'),
})

const PROVIDER = rowDecoder<ProviderJson>('resource_provider', {
  1: column('name', text, 'unreadable'),
  3: column('generation', whole, 0),
  4: column('cell', whole.nullable(), null),
})

const INVENTORY = rowDecoder<NonNullable<ProviderJson[5]>[number]>('inventory', {
  1: column('total', whole, 0),
  2: column('reserved', whole, 0),
  3: column('min_unit', whole, 1),
  4: column('max_unit', whole, 1),
  5: column('step_size', whole, 1),
  6: column('allocation_ratio_milli', whole, 1000),
})

const pool = z.looseObject(
  { sizeKib: whole, total: whole, reserved: whole },
  'expected pages: sizeKib, total, reserved',
)
const network = z.looseObject(
  { physnets: listOf(text, 'networks'), tunneled: flag },
  'expected networks: physnets, tunneled',
)
const CELL = rowDecoder<NonNullable<HostJson[9]>[number]>('numa_cell', {
  1: column('socket', whole.nullable(), null),
  2: { ...cpuList, column: 'shared_cpus' },
  3: { ...cpuList, column: 'dedicated_cpus' },
  4: column('siblings', listOf(wholes, 'groups of CPUs'), []),
  5: column('memory_mib', whole, 0),
  6: column('pages', listOf(pool, 'pages'), []),
  7: column('network', network.nullable(), null),
  8: column('distances', wholes, []),
})

const pci = z.looseObject(
  { address: text, vendorId: text, productId: text, devType: text, tags: z.record(text, text) },
  'expected a PCI function: address, vendorId, productId, devType, tags',
)
const DEVICE = rowDecoder<NonNullable<HostJson[10]>[number]>('unit', {
  0: column('name', text, 'pci:unreadable'),
  1: column('kind', words(UNIT_KINDS), 'pci'),
  2: column('cell', whole.nullable(), null),
  4: column('resource_class', text, 'CUSTOM_UNREADABLE'),
  6: column('pci', pci.nullable(), null),
  8: column('size_mib', whole.nullable(), null),
  // Not to be taken while nobody can say what it is.
  9: column('state', words(['present', 'gone']), 'gone'),
})

const AMOUNT = rowDecoder<AmountJson>('allocation', { 2: column('amount', whole, 0) })

const PLACED = rowDecoder<NonNullable<HoldingJson[5]>[number]>('claim_cell', {
  2: column('memory_mib', whole, 0),
  3: column('page_kib', whole.nullable(), null),
  4: column('shared_vcpus', wholes, []),
  5: column('pins', listOf(z.tuple([whole, whole], 'expected [vcpu, cpu]'), 'pins'), []),
  6: column('reserved_cpus', wholes, []),
  7: column('cpu_policy', words(['shared', 'dedicated', 'mixed']).nullable(), null),
  8: column('thread_policy', words(['prefer', 'isolate', 'require']).nullable(), null),
})

const TAKEN = rowDecoder<NonNullable<HoldingJson[6]>[number]>('unit_holding', {
  2: column('use', words(['pin', 'emulator', 'sibling', 'device', 'with-parent']), 'device'),
})

const HOLDING = rowDecoder<HoldingJson>('claim', {
  2: column('consumer_kind', words(['instance', 'migration']), 'migration'),
})

/** The host's rows with stand-ins for what cannot be read. A host of which all can be read is answered as it is. */
export function readableHost(raw: HostJson, notes: Unreadable[]): HostJson {
  const note: Note = (unreadable) => void notes.push(unreadable)
  const [id] = raw
  const host = HOST.decode(raw, () => `id=${id}`, note)
  if (!host[8]?.some(([provider]) => (provider as string) === id)) {
    note({ table: 'host', key: `id=${id}`, column: 'id', reason: 'expected a resource provider with this id' })
  }
  const parts = [
    all(host[8] ?? [], (provider) => readableProvider(provider, note)),
    each(host[9], { by: CELL, key: (cell) => `host_id=${id}, cell=${cell[0]}`, note }),
    each(host[10], { by: DEVICE, key: (device) => `host_id=${id}, name=${device[0]}`, note }),
    all(host[11] ?? [], (holding) => readableHolding(holding, note)),
    each(host[12], { by: AMOUNT, key: ([provider, cls]) => `provider_id=${provider}, resource_class=${cls}`, note }),
  ] as const
  countersKnown(raw, note)
  if (notes.length === 0) return raw
  const [providers, cells, devices, holdings, others] = parts
  const copy: HostJson = [...host]
  copy[8] = providers
  copy[9] = cells
  copy[10] = devices
  copy[11] = holdings
  copy[12] = others
  return copy
}

/** A device that no provider of its host counts is offered to nobody. Flat hosts count them on the root. */
function countersKnown([id, , , , , , layout, , providers, , devices]: HostJson, note: Note): void {
  if (layout !== 'nested') return
  for (const device of devices ?? []) {
    const counter = device[5]
    if (counter === null || providers?.some(([provider]) => provider === counter)) continue
    const key = `host_id=${id}, name=${device[0]}`
    note({ table: 'unit', key, column: 'provider', reason: 'expected the id of a provider of its host' })
  }
}

export function readableProvider(raw: ProviderJson, note: Note): ProviderJson {
  const [id] = raw
  const provider = PROVIDER.decode(raw, () => `id=${id}`, note)
  const inventories = each(raw[5], { by: INVENTORY, key: ([cls]) => `provider_id=${id}, resource_class=${cls}`, note })
  if (provider === raw && inventories === raw[5]) return raw
  const copy: ProviderJson = [...provider]
  copy[5] = inventories
  return copy
}

export function readableHolding(raw: HoldingJson, note: Note): HoldingJson {
  const [id, consumer] = raw
  const holding = HOLDING.decode(raw, () => `id=${id}`, note)
  const amounts = each(raw[4], {
    by: AMOUNT,
    key: ([provider, cls]) => `consumer_id=${consumer}, provider_id=${provider}, resource_class=${cls}`,
    note,
  })
  const cells = each(raw[5], { by: PLACED, key: ([guestCell]) => `claim_id=${id}, guest_cell=${guestCell}`, note })
  const units = each(raw[6], { by: TAKEN, key: ([unit]) => `claim_id=${id}, unit=${unit}`, note })
  if (holding === raw && amounts === raw[4] && cells === raw[5] && units === raw[6]) return raw
  return [holding[0], consumer, holding[2], holding[3], amounts, cells, units]
}

interface Reading<Row> {
  readonly by: RowDecoder<Row>
  readonly key: (row: Row) => string
  readonly note: Note
}

/** The same list when all of it can be read. */
function each<Row extends object>(rows: Row[] | null, reading: Reading<Row>): Row[] | null {
  const { by, key, note } = reading
  return rows === null ? null : all(rows, (row) => by.decode(row, () => key(row), note))
}

function all<Row>(rows: Row[], decode: (row: Row) => Row): Row[] {
  let copy: Row[] | null = null
  for (let nth = 0; nth < rows.length; nth++) {
    const row = rows[nth] as Row
    const read = decode(row)
    if (read === row) continue
    copy ??= [...rows]
    copy[nth] = read
  }
  return copy ?? rows
}
