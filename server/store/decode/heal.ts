import { z } from 'zod'
import { BLANK } from '../../engine/audit/finding'
import { FINDING_KINDS, type FindingKind } from '../../engine/audit/kinds'
import { NO_GUARDS } from '../../engine/change'
import type { PlanRow, StoredPart } from '../heal/plan'
import { anything, flag, integer, listOf, text, words } from './columns'
import { finding } from './finding'
import { column, rowDecoder } from './row'

const line = z.looseObject({
  ...{ row: text, key: z.record(text, anything), host: text.nullable(), why: text },
  ...{ before: z.record(text, anything).nullable(), after: z.record(text, anything).nullable() },
})
const guards = z.looseObject({
  providers: listOf(z.looseObject({ provider: text, generation: integer.nullable() }), 'guards'),
  instance: z.looseObject({ id: text, generation: integer }).nullable(),
  migration: z.looseObject({ id: text, generation: integer }).nullable(),
})
const part = z.looseObject(
  {
    ...{ fingerprint: text, finding, title: text, lines: listOf(line, 'lines'), guards },
    ...{ locked: text.nullable(), givesBack: listOf(z.record(text, anything), 'claims') },
  },
  'expected a part as it was planned',
)

/** It cannot be applied, and its subject is in the finding. */
const NO_PART = {
  ...{ fingerprint: '', title: 'Unreadable record', lines: [], givesBack: [] },
  locked: 'This part cannot be read any more. Plan the repair again.',
  finding: { ...BLANK, kind: 'unreadable-record', expected: 'a part as it was planned', found: 'something else' },
  guards: NO_GUARDS,
}

const conflict = z.looseObject({ on: text, id: text, expected: text, found: text }, 'expected a conflict')
const PART = rowDecoder<StoredPart>('heal_part', {
  part: column('part', part, NO_PART),
  changed: column('changed', listOf(integer, 'places of lines'), []),
  state: column('state', words(['open', 'applied', 'changed', 'undone', 'left-out']), 'changed'),
  conflict: column('conflict', conflict.nullable(), null),
})

export const partOf = (raw: StoredPart): StoredPart => PART.decode(raw)

const briefs = listOf(
  z.looseObject({
    ...{
      kind: words(FINDING_KINDS as [FindingKind, ...FindingKind[]]),
      host: text.nullable(),
      instance: text.nullable(),
      unit: text.nullable(),
    },
    isNew: flag,
  }),
  'findings',
)

const PLAN = rowDecoder<PlanRow>('heal_plan', {
  state: column('state', words(['draft', 'applied', 'partly-applied', 'changed', 'undone']), 'changed'),
  madeAt: column('made_at', integer, 0),
  foreseen: column('foreseen', briefs.nullable(), null),
  verified: column('verified_at', z.looseObject({ at: integer, left: integer, found: briefs }).nullable(), null),
})

export const planOf = (raw: PlanRow): PlanRow => PLAN.decode(raw)
