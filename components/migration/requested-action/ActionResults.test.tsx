import { describe, expect, it } from 'vitest'
import type { MigrationConsequences } from '@/server/api/migration/consequences'
import type { RefusalView } from '@/server/api/refusal/view'
import { resultRows } from './ActionResults'

const consequences: MigrationConsequences = {
  requestedAction: 'confirm',
  permitted: [
    { id: '1', name: 'web-1' },
    { id: '2', name: 'web-2' },
    { id: '3', name: 'web-3' },
  ],
  refused: [{ id: '4', name: 'web-4', why: 'it has ended' }],
  ...{
    frees: [],
    keeps: [],
    ...{ methods: [], advice: [] },
    stopsGuests: 0,
    noWayBack: true,
    needsReason: false,
    needsTypedName: false,
  },
}
const refusal: RefusalView = {
  ...{ kind: 'not-permitted', where: {}, need: 'verify', free: null, have: 'ended', shortBy: null, unit: null },
  ...{ heldBy: [], heldByMore: 0 },
} as RefusalView

describe('the results of a bulk action', () => {
  const rows = resultRows(consequences, [
    { id: '1', acceptedAt: 5, refusal: null },
    { id: '2', acceptedAt: null, refusal },
    { id: '3', acceptedAt: null, refusal: null },
  ])

  it('list every selected migration, refused ones first', () => {
    expect(rows.map(({ name }) => name)).toEqual(['web-2', 'web-3', 'web-4', 'web-1'])
  })
  it('give a reason for each migration that did not change, including those not sent', () => {
    expect(rows.map(({ reason }) => reason)).toEqual([
      'not permitted now, ended',
      'No reason was given.',
      'it has ended',
      null,
    ])
  })
})
