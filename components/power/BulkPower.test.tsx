import { act, cleanup, configure, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { show } from '../console/testing/show'
import { BulkPower } from './BulkPower'
import type { PowerSubject } from './PowerDialog'

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
// They load on first open.
beforeAll(() =>
  Promise.all([
    import('./PowerDialog'),
    import('../ui/overlay/MenuList'),
    import('../ui/overlay/overlays'),
    import('../ui/overlay/ConfirmForm'),
  ]),
)
afterEach(cleanup)

const ok = { ok: true } as const
const SUBJECT: PowerSubject = {
  ...{ id: 'web-1', name: 'web-1' },
  permitted: { start: ok, stop: ok, reboot: ok, pause: ok, resume: ok },
}

it('the dialog stays, with what was typed, when the instances leave the list', async () => {
  let leave = () => {}
  function Page() {
    const [rows, setRows] = useState([SUBJECT])
    leave = () => setRows([])
    return <BulkPower rows={rows} onDone={() => {}} />
  }
  show(<Page />)
  await userEvent.click(screen.getByRole('button'))
  await userEvent.click(await screen.findByRole('menuitem', { name: /Stop|Shut|Power off/ }))
  const field = await screen.findByLabelText<HTMLTextAreaElement>(/Reason/)
  await userEvent.type(field, 'night shift')
  act(leave)
  expect(screen.getByLabelText(/Reason/)).toBe(field)
  expect(field.value).toBe('night shift')
  expect(document.activeElement).toBe(field)
})
