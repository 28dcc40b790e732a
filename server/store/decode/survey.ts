import { z } from 'zod'
import { POWER_STATES } from '../../engine/power/state'
import type { Unreadable } from '../../engine/words/unreadable'
import type { SurveyRow } from '../survey/survey'
import { anything, id, listOf, text, time, words } from './columns'
import { column, noted, rowDecoder } from './row'

const body = z.looseObject({
  amounts: listOf(anything, 'amounts'),
  cells: listOf(anything, 'NUMA nodes'),
  units: listOf(anything, 'units'),
})
const domains = listOf(
  z.looseObject(
    {
      ...{ instance: id, migration: id.nullable(), claim: body.nullable() },
      observedState: words(['running', 'stopped', 'left', 'shell']),
      power: z.looseObject({ state: words(POWER_STATES), reason: text.nullable() }).optional(),
      untagged: z.literal(true).optional(),
    },
    'expected a domain: instance, migration, observedState, claim, power',
  ),
  'guests',
)
const devices = listOf(
  z.looseObject(
    { unit: text, driver: text.nullable(), attachedTo: id.nullable() },
    'expected a device: unit, driver, attachedTo',
  ),
  'devices',
)

const SURVEY = rowDecoder<SurveyRow>('host_survey', {
  askedAt: column('asked_at', time, 0),
  guests: column('guests', domains.nullable(), null),
  devices: column('devices', devices.nullable(), null),
})
const EARLIER = rowDecoder<NonNullable<SurveyRow['earlier']>>('host_survey', {
  at: column('earlier_at', time, 0),
  guests: column('earlier_guests', domains, []),
  devices: column('earlier_devices', devices.nullable(), null),
})

/** A host's answer; an unreadable one counts as none. */
export function surveyOf(raw: SurveyRow): SurveyRow {
  const notes: Unreadable[] = []
  const note = (unreadable: Unreadable) => void notes.push(unreadable)
  const key = () => `host_id=${raw.host}`
  const row = SURVEY.decode(raw, key, note)
  if (row.earlier) EARLIER.decode(row.earlier, key, note)
  if (notes.length === 0) return raw
  return noted({ ...row, guests: null, devices: null, answeredAt: null, digest: null, earlier: null }, notes)
}
