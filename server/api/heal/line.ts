import type { Line, RowKind, RowShapes } from '../../engine/rows'
import type { RawColumns } from '../../engine/words/unreadable'
import type { LineNames } from './view'

// One row in words: its key, and its value before and after.

/** Rows of layouts belong to layout conversions: no repair writes them. */
type RepairableRowKind = Exclude<RowKind, 'layout-marker' | 'layout-wave'>
type Words = {
  readonly [K in RepairableRowKind]: {
    readonly what: (key: RowShapes[K]['key'], names: LineNames, value: RowShapes[K]['value']) => string
    readonly value: (value: RowShapes[K]['value'], names: LineNames) => string
  }
}

const provider = (id: string, { providers, names }: LineNames) => providers.get(id) ?? names.host(id).name
const host = (id: string | null, { names }: LineNames) => (id === null ? 'no host' : names.host(id).name)
const claim = (id: string) => `claim ${id.slice(0, 8)}`
const holder = (id: string, { names }: LineNames) => {
  const { kind, name } = names.holder(id)
  return kind === 'migration' ? `the migration of ${name}` : name
}

const SHOWN = 120 // of a column that may be anything

const rawText = (columns: RawColumns) =>
  Object.entries(columns)
    .map(([column, value]) => `${column}=${typeof value === 'string' ? value : JSON.stringify(value)}`.slice(0, SHOWN))
    .join(', ')

const WORDS: Words = {
  consumer: { what: ({ id }, names) => `consumer ${holder(id, names)}`, value: ({ type }) => type },
  claim: {
    what: ({ id }, names, value) => `${claim(id)} of ${holder(value.consumer, names)} on ${host(value.host, names)}`,
    value: (value, names) => `held by ${holder(value.consumer, names)} on ${host(value.host, names)}`,
  },
  allocation: {
    what: (key, names) => `${key.resourceClass} of ${provider(key.provider, names)} for ${holder(key.consumer, names)}`,
    value: ({ amount }) => `${amount}`,
  },
  'claim-cell': {
    what: (key) => `guest NUMA node ${key.guestCell} of ${claim(key.claim)}`,
    value: ({ hostCell, memoryMib, pageKib, pins, sharedVcpus }) =>
      [
        `NUMA node ${hostCell}`,
        `${memoryMib} MiB${pageKib === null ? '' : ` in pages of ${pageKib} KiB`}`,
        pins.length > 0 ? `CPUs ${pins.map(([vcpu, cpu]) => `${vcpu} on ${cpu}`).join(', ')}` : null,
        sharedVcpus.length > 0 ? `${sharedVcpus.length} shared CPUs` : null,
      ]
        .filter((part) => part !== null)
        .join(', '),
  },
  'unit-holding': {
    what: (key, names) => `${key.unit} of ${host(key.host, names)}`,
    value: ({ claim: id, use }) => `${use} of ${claim(id)}`,
  },
  instance: {
    what: ({ id }, { names }) => `instance ${names.instance(id).name}`,
    value: ({ host: at, vmState, flavor }, names) => `${vmState} on ${host(at, names)}, ${flavor.name}`,
  },
  migration: {
    what: ({ id }, names) => `record of ${holder(id, names)}`,
    value: ({ step, home, outcome, waiting }) =>
      [
        outcome === null ? `in ${step}` : `ended, ${outcome}`,
        `instance on its ${home}`,
        waiting?.for === 'repair' ? 'parked' : null,
      ]
        .filter((part) => part !== null)
        .join(', '),
  },
  remain: {
    what: (key, names) => `${names.names.instance(key.instance).name} to be removed from ${host(key.host, names)}`,
    value: ({ side }) => `left by a migration as its ${side}`,
  },
  record: {
    what: ({ table, id }) => `${table} ${rawText(id)}`,
    value: (value) => rawText(value),
  },
  host: { what: ({ id }, names) => `layout of ${host(id, names)}`, value: ({ layout }) => layout },
  provider: {
    what: (_, __, { name }) => `provider ${name}`,
    value: ({ name, cell }) => `${name}, NUMA node ${cell ?? 'none'}`,
  },
  inventory: {
    what: (key, names) => `${key.resourceClass} offered by ${provider(key.provider, names)}`,
    value: ({ total, reserved }) => `${total}, ${reserved} reserved`,
  },
  'provider-trait': { what: (key, names) => `${key.trait} of ${provider(key.provider, names)}`, value: () => 'set' },
  unit: {
    what: (key, names) => `${key.unit} of ${host(key.host, names)}`,
    value: ({ provider: carrier, state }, names) =>
      carrier === null ? state : `${state}, counted by ${provider(carrier, names)}`,
  },
}

export interface LineWords {
  readonly what: string
  readonly before: string | null
  readonly after: string | null
}

export function lineWords(line: Line, names: LineNames): LineWords {
  const { what, value } = WORDS[line.row as RepairableRowKind] as {
    readonly what: (key: Line['key'], names: LineNames, value: NonNullable<Line['before']>) => string
    readonly value: (value: NonNullable<Line['before']>, names: LineNames) => string
  }
  const shown = line.before ?? line.after
  return {
    what: shown === null ? '' : what(line.key, names, shown),
    before: line.before && value(line.before, names),
    after: line.after && value(line.after, names),
  }
}
