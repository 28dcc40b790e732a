import { expect, it } from 'vitest'
import { openColumns } from './alarm/columns'
import { deviceColumns } from './device/columns'
import { mapColumns } from './host/map/MapTable'
import type { Column } from './ui/table/column'
import { columnsWithoutRoom, shrinkFactor } from './ui/table/fit'

// On a phone a table keeps the columns that identify a row, wide enough to be read.

/** The width of a 390-pixel page without its margins. */
const PHONE = 358
/** Columns that stay lose at most a quarter of their width. */
const LEAST_SHRINK = 0.75

interface NarrowTable {
  readonly columns: readonly Column<never>[]
  readonly stays: readonly string[]
}

it.each<[string, NarrowTable]>([
  ['alarms', { columns: openColumns(() => null), stays: ['severity', 'title', 'name', 'actions'] }],
  ['devices', { columns: deviceColumns, stays: ['unit', 'host', 'state', 'holder'] }],
  ['CPUs and devices of a host', { columns: mapColumns, stays: ['unit', 'state', 'holder'] }],
])('%s say what they are about', (_, { columns, stays }) => {
  const shown = columns.filter(({ hidden }) => !hidden)
  const without = columnsWithoutRoom(shown, PHONE)
  const left = shown.filter(({ id }) => !without.has(id))
  expect(left.map(({ id }) => id)).toEqual(stays)
  expect(shrinkFactor(left, PHONE)).toBeGreaterThanOrEqual(LEAST_SHRINK)
})
