import { cleanup, configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { ProposalView } from '@/server/api/proposal/propose'
import { show } from '../console/testing/show'
import { Toasts } from '../ui/overlay/Toasts'
import { ProposalNote } from './ProposalNote'

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
beforeAll(() => import('../ui/overlay/overlays')) // overlays load on first open
afterEach(cleanup)

const proposal: ProposalView = {
  ...{ id: 'p', kind: 'cloud', host: null, status: null, plan: null, consumer: null, consumerName: null },
  ...{ cloud: { id: 'c', does: 'Stops web-1.' }, reason: 'broken', by: 'ada', at: 0, state: 'open' },
  ...{ decidedBy: null, decidedAt: null, permit: { ok: true } },
}

const REFUSAL = {
  ...{ kind: 'changed-meanwhile', where: {}, need: 'a running instance', free: null, have: 'it is stopped' },
  ...{ shortBy: null, unit: null, heldBy: [], heldByMore: 0 },
}

// The list drops the request at once, and its dialog with it.
it('an approval that was carried out in part says what was not done, beside the page', async () => {
  const page = (
    <>
      <ProposalNote proposal={proposal} />
      <Toasts />
    </>
  )
  show(page, {
    'proposal.decide': { state: 'approved', refusal: { ...REFUSAL, have: 'Sets the other. Placement answers 409' } },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await userEvent.type(await dialog.findByLabelText(/Reason/), 'seen')
  await userEvent.click(dialog.getByRole('button', { name: 'Approve' }))
  expect(await screen.findByText(/Placement answers 409/)).toBeTruthy()
  expect(screen.getByText(/carried out in part/)).toBeTruthy()
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

it('an approval that was not carried out says why, and can be tried again', async () => {
  const { mutations } = show(<ProposalNote proposal={proposal} />, {
    'proposal.decide': { state: 'open', refusal: REFUSAL },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Approve' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await userEvent.type(await dialog.findByLabelText(/Reason/), 'seen')
  await userEvent.click(dialog.getByRole('button', { name: 'Approve' }))
  expect(await dialog.findByText(/it is stopped/)).toBeTruthy()
  expect(dialog.getByText(/was not carried out/)).toBeTruthy()
  await userEvent.click(dialog.getByRole('button', { name: 'Approve' }))
  expect(mutations).toHaveLength(2)
})
