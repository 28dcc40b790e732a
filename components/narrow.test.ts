import { expect, it } from 'vitest'
import { openColumns } from './alarm/columns'
import { auditLogColumns } from './audit-log/columns'
import { flavorColumns } from './capacity/columns'
import { claimColumns } from './claim/columns'
import { cloudHostColumns, cloudInstanceColumns } from './cloud/columns'
import { cloudFindingColumns, cloudMigrationColumns } from './cloud/history-columns'
import { cloudDriftColumns } from './cloud/witness/drift-columns'
import { deviceColumns } from './device/columns'
import { planColumns } from './drain/PlanTable'
import { eventColumns } from './event/columns'
import { findingColumns } from './finding/columns'
import { hostColumns } from './host/columns'
import { mapColumns } from './host/map/MapTable'
import { instanceColumns } from './instance/columns'
import { ledgerColumns } from './ledger/columns'
import { migrationColumns } from './migration/columns'
import { taskColumns } from './task/columns'
import type { Column } from './ui/table/column'
import { columnsWithoutRoom, secondLineOf, shrinkFactor } from './ui/table/fit'

// On a phone a table keeps the columns that identify a row, wide enough to be read, and a tablet shows what a phone shows.

/** The width of a 390-pixel page without its margins. */
const PHONE = 358
/** The width of a 320-pixel page without its margins. */
const ZOOMED = 288
/** The width of a 768-pixel page without its margins. */
const TABLET = 736
/** Columns that stay lose at most a quarter of their width. */
const LEAST_SHRINK = 0.75

interface NarrowTable {
  readonly columns: readonly Column<never>[]
  readonly stays: readonly string[]
}

it.each<[string, NarrowTable]>([
  ['alarms', { columns: openColumns(() => null), stays: ['title', 'name', 'actions'] }],
  ['devices', { columns: deviceColumns, stays: ['unit', 'host', 'state', 'holder'] }],
  ['flavors that fit', { columns: flavorColumns(['az-1']), stays: ['flavor', 'vcpus', 'more'] }],
  ['CPUs and devices of a host', { columns: mapColumns, stays: ['unit', 'state', 'holder'] }],
])('%s say what they are about', (_, { columns, stays }) => {
  const shown = columns.filter(({ hidden }) => !hidden)
  const without = columnsWithoutRoom(shown, PHONE)
  const left = shown.filter(({ id }) => !without.has(id))
  expect(left.map(({ id }) => id)).toEqual(stays)
  expect(shrinkFactor(left, PHONE)).toBeGreaterThanOrEqual(LEAST_SHRINK)
})

it.each<[string, readonly Column<never>[], readonly string[]]>([
  ['alarms', openColumns(() => null), ['severity', 'says', 'raised', 'state']],
  ['flavors that fit', flavorColumns(['az-1', 'az-2']), ['memory', 'zone az-1', 'zone az-2']],
  ['audit log', auditLogColumns(() => {}), ['object', 'who', 'outcome', 'reason']],
  ['claims', ledgerColumns.consumer, ['amounts', 'units']],
  ['claims of a host', claimColumns, ['cpus', 'memory', 'since']],
  ['events', eventColumns, ['on', 'who']],
  ['findings', findingColumns, ['severity', 'host', 'instance', 'found']],
  ['hosts', hostColumns, ['zone', 'instances', 'seen']],
  ['instances', instanceColumns, ['host', 'flavor', 'memory']],
  ['migrations in flight', migrationColumns.flight, ['operation', 'source', 'target']],
  ['migrations of the past', migrationColumns.history, ['operation', 'source', 'target', 'ended']],
  ['tasks', taskColumns, ['object', 'who', 'at', 'why', 'reason']],
])('%s show on a second line what has no space beside the rest', (_, columns, second) => {
  const shown = columns.filter(({ hidden }) => !hidden)
  expect(secondLineOf(shown, PHONE).map(({ id }) => id)).toEqual(second)
})

it('tasks show their object also on the smallest window', () => {
  const shown: readonly Column<never>[] = taskColumns.filter(({ hidden }) => !hidden)
  expect(secondLineOf(shown, ZOOMED).map(({ id }) => id)).toContain('object')
})

it.each<[string, readonly Column<never>[], readonly string[]]>([
  ['cloud migrations', cloudMigrationColumns, ['type', 'source', 'target']],
  ['cloud findings', cloudFindingColumns, ['severity', 'hosts', 'cause']],
  ['cloud hosts', cloudHostColumns, ['status', 'zone', 'instances', 'findings']],
  ['cloud instances', cloudInstanceColumns, ['task', 'host', 'flavor', 'findings']],
  ['drift of a cloud', cloudDriftColumns, ['nova', 'placement', 'libvirt', 'findings']],
])('%s show on a second line what a phone has no space for', (_, columns, second) => {
  const shown = columns.filter(({ hidden }) => !hidden)
  expect(secondLineOf(shown, PHONE).map(({ id }) => id)).toEqual(second)
})

it.each<[string, readonly Column<never>[], readonly string[]]>([
  ['findings', findingColumns, ['found']],
  ['planned migrations', planColumns, ['method', 'why']],
])('%s show on a tablet what they are about', (_, columns, wanted) => {
  const shown = columns.filter(({ hidden }) => !hidden)
  const without = columnsWithoutRoom(shown, TABLET)
  const second = secondLineOf(shown, TABLET).map(({ id }) => id)
  expect(wanted.filter((id) => without.has(id) && !second.includes(id))).toEqual([])
})
