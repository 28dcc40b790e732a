import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { Boundary } from './Boundary'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it('the boundary shows why a part failed, beside the intact parts, and retries it on request', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let broken = true
  const Part = () => {
    if (broken) throw new Error('no such tag')
    return <p>drawn</p>
  }
  const instead = (error: Error, again: () => void) => (
    <button type="button" onClick={again}>
      {error.message}
    </button>
  )
  render(
    <>
      <p>the list</p>
      <Boundary fallback={instead}>
        <Part />
      </Boundary>
    </>,
  )
  expect(screen.getByText('the list')).toBeTruthy()
  broken = false
  await userEvent.click(screen.getByRole('button', { name: 'no such tag' }))
  expect(screen.getByText('drawn')).toBeTruthy()
})
