import type { FindingKind } from '@/server/engine/audit/finding'
import { capacityEntries } from './capacity'
import { claimEntries } from './claims'
import { domainEntries } from './domains'
import type { RunbookEntry } from './entry'
import { migrationEntries } from './migrations'
import { powerEntries } from './power'

/** Total: a new kind of finding does not compile until it has a runbook entry. */
export const runbook: Readonly<Record<FindingKind, RunbookEntry>> = {
  ...capacityEntries,
  ...claimEntries,
  ...migrationEntries,
  ...domainEntries,
  ...powerEntries,
}

export const runbookKinds = Object.keys(runbook) as readonly FindingKind[]
export const isRunbookKind = (text: string): text is FindingKind => Object.hasOwn(runbook, text)
