import { act, cleanup, configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { show } from '../console/testing/show'
import { Toasts } from '../ui/overlay/Toasts'
import { PowerDialog, type PowerSubject } from './PowerDialog'

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
// They load on first open.
beforeAll(() => Promise.all([import('../ui/overlay/overlays'), import('../ui/overlay/ConfirmForm')]))
afterEach(cleanup)

const ok = { ok: true } as const
const subject = (name: string): PowerSubject => ({
  ...{ id: name, name },
  permitted: { start: ok, stop: ok, reboot: ok, pause: ok, resume: ok },
})
const REFUSAL = {
  ...{ kind: 'wrong-state', where: {}, need: 'powered off', free: null, have: 'running', shortBy: null, unit: null },
  ...{ heldBy: [], heldByMore: 0 },
}
const RESULTS = [
  { instance: { id: 'web-1', name: 'web-1' }, acceptedAt: 1, refusal: null },
  { instance: { id: 'web-2', name: 'web-2' }, acceptedAt: null, refusal: REFUSAL },
]

/** Starts two instances; the answer comes when the returned function is called. */
async function requested() {
  let answer = (_value: unknown) => {}
  function Page() {
    const [isOpen, setOpen] = useState(true)
    const subjects = ['web-1', 'web-2'].map(subject)
    return (
      <>
        {isOpen ? <PowerDialog action="start" subjects={subjects} onClose={() => setOpen(false)} /> : null}
        <Toasts />
      </>
    )
  }
  show(<Page />, { 'power.request': new Promise((done) => (answer = done)) })
  const dialog = within(await screen.findByRole('alertdialog'))
  await userEvent.click(await dialog.findByRole('button', { name: /2 instances/ }))
  return { dialog, answer: () => act(async () => answer(RESULTS)) }
}

it('refused requests are listed in the dialog', async () => {
  const { answer } = await requested()
  await answer()
  expect(await screen.findByRole('dialog', { name: /1 accepted, 1 refused/ })).toBeTruthy()
})

it('requests that are refused after the dialog was closed are named in a toast', async () => {
  const { dialog, answer } = await requested()
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await answer()
  expect(await screen.findByText(/1 accepted, 1 refused/)).toBeTruthy()
  expect(screen.getByText(/^web-2: /)).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
})
