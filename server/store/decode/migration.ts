import { z } from 'zod'
import {
  type Migration,
  OPERATIONS,
  OUTCOMES,
  REQUESTED_ACTIONS,
  STEPS,
  type StepRecord,
  WAITING_FOR,
} from '../../engine/migration/state'
import { STORAGE_MODES, STORAGE_USED } from '../../engine/storage/storage'
import type { Unreadable } from '../../engine/words/unreadable'
import { anything, flag, flavor, image, integer, listOf, text, time, words } from './columns'
import { NO_FLAVOR, NO_IMAGE } from './instance'
import { column, noted, rowDecoder } from './row'

const side = words(['source', 'target'])
const cause = z.looseObject(
  {
    kind: words(['failed', 'aborted', 'reverted']),
    step: words(STEPS),
    message: text,
    refusals: listOf(anything, 'hosts').optional(),
  },
  'expected a cause: kind, step, message',
)
const waiting = z.looseObject(
  { for: words(WAITING_FOR) },
  'expected what it waits for: slot, host, person, retry or repair',
)
const progress = z.looseObject(
  {
    ...{
      at: integer,
      totalBytes: integer,
      remainingBytes: integer,
      dirtyBytesPerS: integer,
      bandwidthBytesPerS: integer,
    },
    ...{ iteration: integer, downtimeMs: integer.nullable(), postCopy: flag },
  },
  'expected the progress of a transfer',
)

const amount = z.looseObject(
  { provider: text, resourceClass: text, amount: integer },
  'expected provider, class, amount',
)

const MIGRATION = rowDecoder<Migration>('migration', {
  operation: column('operation', words(OPERATIONS), 'cold-migrate'),
  newFlavor: column('new_flavor', flavor, NO_FLAVOR),
  newImage: column('new_image', image, NO_IMAGE),
  oldFlavor: column('old_flavor', flavor, NO_FLAVOR),
  oldImage: column('old_image', image, NO_IMAGE),
  step: column('step', words(STEPS), 'ended'),
  direction: column('direction', side, 'source'),
  home: column('home', side, 'source'),
  storage: column('storage', words(STORAGE_MODES).nullable(), null),
  storageUsed: column('storage_used', words(STORAGE_USED).nullable(), null),
  kept: column('kept', listOf(amount, 'amounts'), []),
  requestedAction: column('requested_action', words(REQUESTED_ACTIONS).nullable(), null),
  cause: column('cause', cause.nullable(), null),
  outcome: column('outcome', words(OUTCOMES).nullable(), null),
  waiting: column('waiting', waiting.nullable(), null),
  progress: column('progress', progress.nullable(), null),
  tried: column('tried', listOf(text, 'ids of hosts'), []),
  stepSince: column('step_since', time, 0),
  confirmWindowMs: column('confirm_window_ms', integer.nullable(), null),
  generation: column('generation', integer, 0),
  fence: column('fence', integer, 0),
  createdAt: column('created_at', time, 0),
  nextAt: column('next_at', time, 0),
})

const STEP = rowDecoder<StepRecord>('migration_step', {
  step: column('step', words(STEPS), 'ended'),
  direction: column('direction', side, 'source'),
  startedAt: column('started_at', time, 0),
  result: column('result', words(['done', 'failed', 'turned-back']).nullable(), null),
})

/** A migration from MIGRATION_JSON, with stand-ins for unreadable values. */
export function migrationOf(raw: Migration): Migration {
  const notes: Unreadable[] = []
  const migration = MIGRATION.decode(
    raw,
    () => `id=${raw.id}`,
    (unreadable) => notes.push(unreadable),
  )
  return noted(migration, notes)
}

/** A step of the timeline; the audit of records reports its unreadable values. */
export const stepOf = (raw: StepRecord): StepRecord => STEP.decode(raw)
