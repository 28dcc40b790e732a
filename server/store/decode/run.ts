import { z } from 'zod'
import type { ListedRun } from '../run/read'
import type { Run, RunDiff, RunMigration } from '../run/row'
import { anything, claimBody, integer, listOf, text, time, words } from './columns'
import { column, rowDecoder } from './row'

const RUN = rowDecoder<Run>('run', {
  kind: column('kind', words(['drain', 'evacuation']), 'drain'),
  state: column('state', words(['draft', 'running', 'paused', 'stopping', 'done', 'stopped']), 'stopped'),
  // An unreadable list binds the run to no host at all.
  within: column('within', listOf(text, 'parts of the fleet'), ['unreadable']),
  generation: column('generation', integer, 0),
  createdAt: column('created_at', time, 0),
})

const refusals = listOf(
  z.looseObject({
    host: text,
    refusals: listOf(z.looseObject({ kind: text, where: z.record(text, anything) }), 'refusals'),
  }),
  'hosts',
)
const left = z.looseObject({
  ...{ is: text, refusals, proof: text, rule: text.nullable() },
  change: z.looseObject({ is: text, host: text }).nullable(),
})
const UNKNOWN = {
  is: 'left',
  left: { is: 'blocked', refusals: [], rule: null, change: null, proof: 'bounded' },
}
const why = z.union(
  [
    z.looseObject({ is: z.literal('left'), left }),
    z.looseObject({ is: z.literal('move'), fits: integer, notLive: refusals.element.shape.refusals }),
  ],
  'expected why it goes there or stays',
)
const MIGRATION = rowDecoder<RunMigration>('run_move', {
  body: column('body', claimBody.nullable(), null),
  why: column('why', why, UNKNOWN),
  after: column('after', listOf(integer, 'migrations'), []),
  state: column(
    'state',
    words(['planned', 'waiting', 'moving', 'done', 'failed', 'skipped', 'stays', 'blocked']),
    'blocked',
  ),
})

const line = z.looseObject({
  sign: words(['-', '+', '~']),
  instance: z.looseObject({ id: text, name: text }),
  what: text,
})
const DIFF = rowDecoder<RunDiff>('run_diff', {
  at: column('at', time, 0),
  lines: column('lines', listOf(line, 'lines'), []),
})

export const runOf = (raw: Run): Run => RUN.decode(raw)
export const listedRunOf = ({ run, counts }: ListedRun): ListedRun => ({ run: runOf(run), counts })
export const diffOf = (raw: RunDiff): RunDiff => DIFF.decode(raw)

/** A migration with an unreadable record is blocked until a replan. */
export const runMigrationOf = (raw: RunMigration): RunMigration => MIGRATION.decode(raw)
