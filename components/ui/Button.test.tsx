import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { Button } from './Button'

afterEach(cleanup)

const Actions = ({ why }: { why: string | null }) => (
  <>
    <Button disabledReason={why}>Abort</Button>
    <Button>Confirm</Button>
  </>
)
const button = (name: string) => screen.getByRole('button', { name })

it('a button keeps the focus when it becomes available and when it becomes unavailable', async () => {
  const { rerender } = render(<Actions why="not in this step" />)
  await userEvent.tab()
  expect(document.activeElement).toBe(button('Abort'))
  rerender(<Actions why={null} />)
  expect(button('Abort').hasAttribute('aria-disabled')).toBe(false)
  expect(document.activeElement).toBe(button('Abort'))
  rerender(<Actions why="too late" />)
  expect(button('Abort').getAttribute('aria-disabled')).toBe('true')
  expect(document.activeElement).toBe(button('Abort'))
})

it('a button takes the focus from no other element', async () => {
  const { rerender } = render(<Actions why="not in this step" />)
  button('Confirm').focus()
  rerender(<Actions why={null} />)
  expect(document.activeElement).toBe(button('Confirm'))
})
