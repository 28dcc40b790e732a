import type { Line, NewUnit, RowKind, RowShapes } from '../../engine/rows'

// A reviewed line as `write_row` reads it (prisma/functions/row.sql), with columns instead of the engine's names. This
// is the only list of the columns of a value: the same columns are compared and written.

type Columns = Readonly<Record<string, unknown>>

interface Table<K extends RowKind> {
  readonly table: string
  readonly key: (key: RowShapes[K]['key']) => Columns
  readonly value: (value: RowShapes[K]['value']) => Columns
}

const TABLES: { readonly [K in Exclude<RowKind, 'record'>]: Table<K> } = {
  consumer: { table: 'consumer', key: ({ id }) => ({ id }), value: ({ type }) => ({ type }) },
  claim: {
    table: 'claim',
    key: ({ id }) => ({ id }),
    value: ({ consumer, consumerKind, instance, host }) => ({
      consumer_id: consumer,
      consumer_kind: consumerKind,
      instance_id: instance,
      host_id: host,
    }),
  },
  allocation: {
    table: 'allocation',
    key: ({ consumer, provider, resourceClass }) => ({
      consumer_id: consumer,
      provider_id: provider,
      resource_class: resourceClass,
    }),
    value: ({ amount }) => ({ amount }),
  },
  'claim-cell': {
    table: 'claim_cell',
    key: ({ claim, guestCell }) => ({ claim_id: claim, guest_cell: guestCell }),
    value: (node) => ({
      host_cell: node.hostCell,
      memory_mib: node.memoryMib,
      page_kib: node.pageKib,
      shared_vcpus: node.sharedVcpus,
      pins: node.pins,
      reserved_cpus: node.reservedCpus,
      cpu_policy: node.cpuPolicy,
      thread_policy: node.threadPolicy,
      reserved_shares_core: node.reservedSharesCore ?? false,
    }),
  },
  'unit-holding': {
    table: 'unit_holding',
    key: ({ host, unit }) => ({ host_id: host, unit }),
    value: ({ claim, use, requestId }) => ({ claim_id: claim, use, request_id: requestId }),
  },
  instance: {
    table: 'instance',
    key: ({ id }) => ({ id }),
    value: ({ host, vmState, flavor }) => ({ host_id: host, vm_state: vmState, flavor }),
  },
  migration: {
    table: 'migration',
    key: ({ id }) => ({ id }),
    value: ({ step, home, outcome, cause, waiting }) => ({ step, home, outcome, cause, waiting }),
  },
  remain: {
    table: 'host_remain',
    key: ({ host, instance, migration }) => ({ host_id: host, instance_id: instance, migration_id: migration }),
    value: ({ side }) => ({ side }),
  },
  host: { table: 'host', key: ({ id }) => ({ id }), value: ({ layout }) => ({ layout }) },
  provider: {
    table: 'resource_provider',
    key: ({ id }) => ({ id }),
    value: ({ name, parent, root, cell }) => ({ name, parent_id: parent, root_id: root, cell }),
  },
  inventory: {
    table: 'inventory',
    key: ({ provider, resourceClass }) => ({ provider_id: provider, resource_class: resourceClass }),
    value: (inventory) => ({
      total: inventory.total,
      reserved: inventory.reserved,
      min_unit: inventory.minUnit,
      max_unit: inventory.maxUnit,
      step_size: inventory.stepSize,
      allocation_ratio_milli: inventory.allocationRatioMilli,
    }),
  },
  'provider-trait': {
    table: 'provider_trait',
    key: ({ provider, trait }) => ({ provider_id: provider, trait }),
    value: () => ({}),
  },
  unit: {
    table: 'unit',
    key: ({ host, unit }) => ({ host_id: host, name: unit }),
    value: ({ provider, state, made }) => ({ provider, state, ...(made && unitColumns(made)) }),
  },
  'layout-marker': {
    table: 'layout_marker',
    key: ({ host }) => ({ host_id: host }),
    value: ({ state, why, by, at, version, wave }) => ({ state, why, by, at: timeOf(at), version, wave_id: wave }),
  },
  'layout-wave': {
    table: 'layout_wave',
    key: ({ id }) => ({ id }),
    value: ({ failed, made, ...progress }) => ({ ...progress, failed_host: failed, ...(made && madeColumns(made)) }),
  },
}

const unitColumns = ({ kind, cell, parent, resourceClass, pci, mdevType, sizeMib }: NewUnit): Columns => {
  const described = { pci: pci ?? null, mdev_type: mdevType ?? null, size_mib: sizeMib ?? null }
  return { kind, cell, parent, resource_class: resourceClass, ...described }
}

const timeOf = (ms: number) => new Date(ms).toISOString()

function madeColumns({ hosts, by, reason, at }: NonNullable<RowShapes['layout-wave']['value']['made']>): Columns {
  return { hosts, by, reason, at: timeOf(at) }
}

export function lineRow(line: Line): Columns {
  if (line.row === 'record') {
    const { key, before, after, host } = line
    return { do: 'row', record: true, table: key.table, key: key.id, before, after, root: host }
  }
  const { table, key, value } = TABLES[line.row] as unknown as {
    readonly table: string
    readonly key: (key: Line['key']) => Columns
    readonly value: (value: NonNullable<Line['before']>) => Columns
  }
  return {
    do: 'row',
    table,
    key: key(line.key),
    before: line.before && value(line.before),
    after: line.after && value(line.after),
    root: line.host,
  }
}
