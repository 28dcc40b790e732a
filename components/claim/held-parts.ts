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

/** What is held, for a file: each amount in a column of its own. */
export const heldParts = <Row>(head: string, of: (row: Row) => ClaimTotals | null): readonly ExportPart<Row>[] =>
  NUMBERS.map(({ key, ...unit }) => ({
    id: key,
    head: uiWords.labelled(head, claimWords.amounts[key]),
    ...unit,
    value: (row) => of(row)?.[key] ?? null,
  }))
