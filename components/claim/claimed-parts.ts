import type { ClaimTotals } from '@/server/api/claim/view'
import type { ExportPart } from '../ui/table/column'
import { uiWords } from '../ui/words'
import { claimWords } from './words'

const NUMBERS = [
  { key: 'vcpus' },
  { key: 'pinnedCpus' },
  { key: 'memoryMib', exportUnit: 'mib' },
  { key: 'diskGib', exportUnit: 'gib' },
  { key: 'devices' },
] as const

/** Held amounts for an export, each in its own column. */
export const claimedParts = <Row>(head: string, of: (row: Row) => ClaimTotals | null): readonly ExportPart<Row>[] =>
  NUMBERS.map(({ key, ...unit }) => ({
    id: key,
    head: uiWords.labelled(head, claimWords.amounts[key]),
    ...unit,
    value: (row) => of(row)?.[key] ?? null,
  }))
