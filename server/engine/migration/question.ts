import type { Instance } from '../change'
import type { Question } from '../claim'
import type { Demand, Group } from '../demand'
import type { Host } from '../host'
import { liveInstanceOf } from '../live'
import { wrongState } from '../power/request'
import { type StorageMode, sharedAmountsOf } from '../storage/storage'
import type { Refusal } from '../words/refusal'
import { operationRow } from './operations'
import type { Operation } from './state'

// The input of `decide` for a migration, shared by the claim, explain and the drain plan (I7).

export interface MigrationParams {
  readonly operation: Operation
  readonly instance: Pick<Instance, 'id'>
  readonly source: Host | null
  readonly demand: Demand
  readonly group: Group | null
  /** For a live migration; omitted: auto. */
  readonly storage?: StorageMode | null | undefined
}

export type MigrationQuestion = Omit<Question, 'host' | 'prepared'>

export type MigrationQuestionResult =
  | { readonly ok: true; readonly question: MigrationQuestion }
  | { readonly ok: false; readonly refusal: Refusal }

/** A live-migrating instance must keep its pages and devices; without a holding there is nothing to match. */
export function questionOf({
  operation,
  instance,
  source,
  demand,
  group,
  storage,
}: MigrationParams): MigrationQuestionResult {
  const row = operationRow(operation)
  const running = row.source === 'running'
  const live = running && source !== null ? liveInstanceOf(source, instance.id) : null
  if (running && live === null) {
    return { ok: false, refusal: wrongState('claimed on the source', 'without a claim on it') }
  }
  const excludedHost = row.target === 'other-host' ? (source?.id ?? null) : null
  const mode = running ? (storage ?? 'auto') : null
  const from = source && { mode, shared: sharedAmountsOf(source, instance.id) }
  const driver = source?.driver
  return {
    ok: true,
    question: { demand, instance: instance.id, group, live, excludedHost, driver, storage: from },
  }
}
