import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { PressButton } from './PressButton'

afterEach(cleanup)

const HEIGHT = 28
const POINTER = { pointerId: 1, pointerType: 'mouse', button: 0, clientX: 10, clientY: 10 }

/** A button at the top of the page, and a function that pushes it further down. */
function shown(onPress: () => void) {
  let top = 0
  render(
    <PressButton className="" onPress={onPress}>
      Measure
    </PressButton>,
  )
  const button = screen.getByRole('button')
  button.getBoundingClientRect = () => new DOMRect(0, top, 100, HEIGHT)
  return {
    button,
    move: (to: number) => {
      top = to
    },
  }
}
const settled = () => new Promise((resolve) => setTimeout(resolve, 20))

it('takes a press whose pointer stands still while the button moves away', async () => {
  const onPress = vi.fn()
  const { button, move } = shown(onPress)
  fireEvent.pointerDown(button, POINTER)
  move(HEIGHT)
  fireEvent.pointerUp(document.body, POINTER)
  await settled()
  expect(onPress).toHaveBeenCalledTimes(1)
})

it('takes no press whose pointer was drawn off the button', async () => {
  const onPress = vi.fn()
  const { button } = shown(onPress)
  fireEvent.pointerDown(button, POINTER)
  fireEvent.pointerUp(document.body, { ...POINTER, clientY: 2 * HEIGHT })
  await settled()
  expect(onPress).not.toHaveBeenCalled()
})

it('presses nothing a second time for what opened over it', async () => {
  const onPress = vi.fn()
  const { button } = shown(onPress)
  fireEvent.pointerDown(button, POINTER)
  fireEvent.pointerUp(document.body, POINTER)
  await settled()
  expect(onPress).not.toHaveBeenCalled()
})

it('forgets a press that the browser took back to scroll', async () => {
  const onPress = vi.fn()
  const { button, move } = shown(onPress)
  fireEvent.pointerDown(button, POINTER)
  fireEvent.pointerCancel(document.body, POINTER)
  move(HEIGHT)
  fireEvent.pointerUp(document.body, POINTER)
  await settled()
  expect(onPress).not.toHaveBeenCalled()
})
