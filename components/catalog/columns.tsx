import type { CatalogEntry, CatalogValues, GroupEntry } from '@/server/api/catalog/router'
import type { Flavor, PciAlias } from '@/server/engine/demand'
import type { WholeList } from '../console/list/list'
import { dash } from '../ui/dash'
import { count, mib } from '../ui/format'
import type { Column } from '../ui/table/column'
import { devicesText, specsText } from './lines'
import { catalogWords as words } from './words'

type Of<Value> = CatalogEntry<Value>

const nameColumn = <Value extends CatalogValues[keyof CatalogValues]>(): Column<Of<Value>> => ({
  id: 'name',
  head: words.name,
  fixed: true,
  width: 168,
  value: ({ value }) => value.name,
})

const usesColumn = <Value,>(): Column<Of<Value>> => ({
  id: 'uses',
  head: words.uses,
  width: 90,
  align: 'end',
  value: ({ uses }) => uses,
  cell: ({ uses }) => count(uses),
})

const listOf = <Value extends CatalogValues[keyof CatalogValues]>(
  text: (value: Value) => string,
  sortColumns: readonly string[],
): WholeList<Of<Value>> => ({
  keys: [{ id: 'name', label: words.name }],
  fields: { name: ({ value }) => [value.name], text: ({ value }) => [value.name, text(value)] },
  sortColumns: ['name', 'uses', ...sortColumns],
})

const integerColumn = (id: string, head: string, value: (flavor: Flavor) => number): Column<Of<Flavor>> => ({
  ...{ id, head, width: 80, align: 'end', value: (row) => value(row.value), cell: (row) => count(value(row.value)) },
})

export const flavorColumns: readonly Column<Of<Flavor>>[] = [
  nameColumn(),
  integerColumn('vcpus', words.vcpus, ({ vcpus }) => vcpus),
  {
    ...{ id: 'memory', head: words.memory, width: 100, align: 'end', exportUnit: 'mib', secondLine: 'named' },
    value: ({ value }) => value.memoryMib,
    cell: ({ value }) => mib(value.memoryMib),
  },
  integerColumn('disk', words.diskGib, ({ diskGib }) => diskGib),
  usesColumn(),
  {
    ...{ id: 'specs', head: words.specs, minWidth: 200, secondLine: 'value' },
    value: ({ value }) => specsText(value.extraSpecs).replaceAll('\n', ', '),
    cell: ({ value }) => specsText(value.extraSpecs).replaceAll('\n', ', ') || dash,
  },
]
export const flavorList = listOf<Flavor>(
  ({ extraSpecs }) => specsText(extraSpecs),
  ['vcpus', 'memory', 'disk', 'specs'],
)

export const groupColumns: readonly Column<Of<GroupEntry>>[] = [
  nameColumn(),
  {
    id: 'policy',
    head: words.policy,
    width: 160,
    value: ({ value }) => value.policy,
  },
  {
    ...{ id: 'maxPerHost', head: words.maxPerHost, width: 140, align: 'end' },
    value: ({ value }) => value.maxPerHost,
    cell: ({ value }) => (value.policy === 'anti-affinity' ? count(value.maxPerHost) : dash),
  },
  usesColumn(),
]
export const groupList = listOf<GroupEntry>(({ policy }) => policy, ['policy', 'maxPerHost'])

export const aliasColumns: readonly Column<Of<PciAlias>>[] = [
  nameColumn(),
  {
    ...{ id: 'spec', head: words.spec, minWidth: 260 },
    value: ({ value }) => devicesText(value.spec),
    cell: ({ value }) => devicesText(value.spec).replaceAll('\n', '; '),
  },
  {
    ...{ id: 'numa', head: words.numa, width: 130 },
    value: ({ value }) => value.numaPolicy ?? 'legacy',
  },
  usesColumn(),
]
export const aliasList = listOf<PciAlias>(({ spec }) => devicesText(spec), ['spec', 'numa'])
