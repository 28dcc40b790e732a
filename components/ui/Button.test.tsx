import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
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

it('a press that begins while the button is unavailable does nothing, even if it is available at the release', () => {
  const onPress = vi.fn()
  const of = (why: string | null) => (
    <Button disabledReason={why} onPress={onPress}>
      Abort
    </Button>
  )
  const { rerender } = render(of('the consequences are loading'))
  fireEvent.pointerDown(button('Abort'), { pointerId: 1, pointerType: 'mouse', button: 0 })
  rerender(of(null))
  fireEvent.pointerUp(button('Abort'), { pointerId: 1, pointerType: 'mouse', button: 0 })
  expect(onPress).not.toHaveBeenCalled()
})

it('whoever refers to the button, as its open menu does, has its present element', () => {
  const ref = createRef<HTMLButtonElement>()
  const of = (why: string | null) => (
    <Button ref={ref} disabledReason={why}>
      Abort
    </Button>
  )
  const { rerender } = render(of(null))
  for (const why of ['too late', null]) {
    rerender(of(why))
    expect(ref.current).toBe(button('Abort'))
  }
})
