import { act, cleanup, configure, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { PlannedMigration } from '@/server/api/run/view'
import { show } from '../console/testing/show'
import { Toasts } from '../ui/overlay/Toasts'
import { PlanWithActions } from './PlanWithActions'

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
beforeAll(() => import('../ui/overlay/MenuList')) // loads on first open
afterEach(cleanup)

const ok = { ok: true } as const
const migration: PlannedMigration = {
  ...{ n: 1, instance: { id: 'i', name: 'web-1' }, from: { id: 'h', name: 'h-07' }, to: null, method: null },
  ...{ helper: false, after: [], wave: 1, priority: 0, why: '', refusing: null, state: 'planned', migration: null },
  ...{ held: { vcpus: 1, pinnedCpus: 0, memoryMib: 1, diskGib: 0, devices: 0 }, refusals: [] },
  permitted: { skip: ok, 'change-method': ok, retry: ok },
}

it('an accepted change is shown also if its page was left before the answer', async () => {
  let answer = (_value: unknown) => {}
  let leave = () => {}
  function Page() {
    const [isOpen, setOpen] = useState(true)
    leave = () => setOpen(false)
    return (
      <>
        {isOpen ? <PlanWithActions run={{ id: 'r', migrations: [migration] }} /> : null}
        <Toasts />
      </>
    )
  }
  const { mutations } = show(<Page />, { 'run.controlMigration': new Promise((done) => (answer = done)) })
  await userEvent.click(screen.getByRole('button', { name: /web-1/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Skip' }))
  expect(mutations).toEqual([{ path: 'run.controlMigration', input: { id: 'r', n: 1, do: 'skip' } }])
  act(leave)
  await act(async () => answer({ acceptedAt: 0 }))
  expect(await screen.findByText('Skip, web-1: accepted')).toBeTruthy()
})
