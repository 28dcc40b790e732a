import { act, cleanup, configure, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { show } from '../console/testing/show'
import { Toasts } from '../ui/overlay/Toasts'
import type { Answer } from './auth'
import { SubmitForm } from './SubmitForm'

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
afterEach(cleanup)

const REFUSED: Answer<null> = { ok: false, why: 'The password is wrong.' }

/** A sent form, closed or not, and a function that answers it. */
async function sent() {
  let answer = (_value: Answer<null>) => {}
  let close = () => {}
  const onDone = vi.fn()
  const submit = () => new Promise<Answer<null>>((done) => (answer = done))
  function Page() {
    const [isOpen, setOpen] = useState(true)
    close = () => setOpen(false)
    return (
      <>
        {isOpen ? (
          <SubmitForm submitLabel="Change password" disabledReason={null} submit={submit} onDone={onDone}>
            {null}
          </SubmitForm>
        ) : null}
        <Toasts />
      </>
    )
  }
  show(<Page />)
  await userEvent.click(screen.getByRole('button', { name: 'Change password' }))
  return { answer: (value: Answer<null>) => act(async () => answer(value)), close: () => act(close), onDone }
}

it('a refusal is shown beside the button', async () => {
  const { answer, onDone } = await sent()
  await answer(REFUSED)
  expect((await screen.findByRole('alert')).textContent).toContain('The password is wrong.')
  expect(onDone).not.toHaveBeenCalled()
})

it('a refusal that comes after the form was closed is shown in a toast', async () => {
  const { answer, close } = await sent()
  close()
  await answer(REFUSED)
  expect(await screen.findByText('The password is wrong.')).toBeTruthy()
  expect(screen.getByText('Change password')).toBeTruthy()
})
