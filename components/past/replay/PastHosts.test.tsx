import { act, cleanup, configure, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { show } from '../../console/testing/show'
import { PastHosts } from './PastHosts'

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
afterEach(cleanup)

it('a time that cannot be read leaves the filter in place, with its text and the focus', async () => {
  let change = (_at: number) => {}
  let fail = (_why: unknown) => {}
  function Page() {
    const [at, setAt] = useState(1_000)
    change = setAt
    return <PastHosts at={at} />
  }
  const answers: Record<string, unknown> = { 'past.hosts': { rows: [], total: 0, seq: '1' } }
  show(<Page />, answers)
  const field = await screen.findByRole('searchbox')
  await userEvent.type(field, 'h-07')
  answers['past.hosts'] = new Promise((_done, reject) => (fail = reject))
  act(() => change(2_000))
  await act(async () => fail(new Error('offline')))
  expect(await screen.findByText('Could not load the history')).toBeTruthy()
  expect(screen.getByRole('searchbox')).toBe(field)
  expect(field).toHaveProperty('value', 'h-07')
  expect(document.activeElement).toBe(field)
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})
