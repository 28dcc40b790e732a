import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import type { HealPlanDetail } from '@/server/api/heal/router'
import type { HealPartView } from '@/server/api/heal/view'
import type { ProposalView } from '@/server/api/proposal/propose'
import { show } from '../console/testing/show'
import { findingRow } from '../finding/testing/finding-row'
import { HealPage } from './HealPage'

const NOTHING = { vcpus: 0, pinnedCpus: 0, memoryMib: 0, diskGib: 0, devices: 0 }
const PART: HealPartView = {
  ...{ n: 1, finding: findingRow('f', { held: NOTHING }), title: 'Release what nobody holds', lines: [], guards: [] },
  ...{ givesBack: NOTHING, locked: null, state: 'open', appliedAt: null, conflict: null },
}
const PLAN: HealPlanDetail = {
  ...{ id: 'p', state: 'draft', parts: 1, applied: 0, madeAt: 0, madeBy: 'ada', reason: null, undoOf: null },
  ...{ part: [PART], replacedBy: null, undoneBy: null, foreseen: null, verified: null, asks: true, approval: null },
  permitted: { apply: { ok: true }, undo: { ok: false, why: 'nothing was applied' } },
}
const APPROVAL: ProposalView = {
  ...{ id: 'a', kind: 'heal', host: null, status: null, plan: 'p', consumer: null, consumerName: null, cloud: null },
  ...{ reason: 'leak', by: 'ada', at: 0, state: 'open', decidedBy: null, decidedAt: null, permit: { ok: true } },
}
const REQUESTED = { applied: 0, replacedBy: null, whyNotReplaced: null, found: [], proposal: 'a' }

afterEach(cleanup)

async function shown() {
  const { queries } = show(<HealPage id="p" />, { 'heal.byId': PLAN, 'heal.applyParts': REQUESTED })
  await userEvent.type(await screen.findByRole('textbox', { name: 'Reason' }), 'leak of last night')
  return queries
}
const reason = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Reason' })

it('a half typed reason stays when another user requests an approval', async () => {
  const queries = await shown()
  const field = reason()
  act(() => queries.setQueriesData({ queryKey: [['heal', 'byId']] }, { ...PLAN, approval: APPROVAL }))
  expect(await screen.findByText(/Replaces the open request/)).toBeTruthy()
  expect(reason()).toBe(field)
  expect(field.value).toBe('leak of last night')
  expect(document.activeElement).toBe(field)
})

it('a request of one’s own empties the review', async () => {
  await shown()
  await userEvent.click(screen.getByRole('button', { name: 'Request approval of 1 part' }))
  expect(reason().value).toBe('')
})
