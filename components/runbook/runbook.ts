import type { FindingKind } from '@/server/engine/audit/finding'
import { claimEntries } from './claims'
import type { RunbookEntry } from './entry'
import { guestEntries } from './guests'
import { moveEntries } from './moves'
import { powerEntries } from './power'
import { roomEntries } from './room'

/** Total: a new kind of finding does not compile until it has a runbook entry. */
export const runbook: Readonly<Record<FindingKind, RunbookEntry>> = {
  ...roomEntries,
  ...claimEntries,
  ...moveEntries,
  ...guestEntries,
  ...powerEntries,
}

export const runbookKinds = Object.keys(runbook) as readonly FindingKind[]
export const isRunbookKind = (text: string): text is FindingKind => Object.hasOwn(runbook, text)
