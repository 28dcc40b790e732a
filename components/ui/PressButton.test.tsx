import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import type { ComponentProps } from 'react'
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

it('a press counts when the button moves away under a still pointer', async () => {
  const onPress = vi.fn()
  const { button, move } = shown(onPress)
  fireEvent.pointerDown(button, POINTER)
  move(HEIGHT)
  fireEvent.pointerUp(document.body, POINTER)
  await settled()
  expect(onPress).toHaveBeenCalledTimes(1)
})

it('a press does not count when the pointer was dragged off the button', async () => {
  const onPress = vi.fn()
  const { button } = shown(onPress)
  fireEvent.pointerDown(button, POINTER)
  fireEvent.pointerUp(document.body, { ...POINTER, clientY: 2 * HEIGHT })
  await settled()
  expect(onPress).not.toHaveBeenCalled()
})

it('a press does not click what opens over the button', async () => {
  const onPress = vi.fn()
  const { button } = shown(onPress)
  fireEvent.pointerDown(button, POINTER)
  fireEvent.pointerUp(document.body, POINTER)
  await settled()
  expect(onPress).not.toHaveBeenCalled()
})

it('a press counts when a toast covers the button before the release', async () => {
  const onPress = vi.fn()
  const { button } = shown(onPress)
  render(
    <ol data-sonner-toaster>
      <li>Migration started</li>
    </ol>,
  )
  fireEvent.pointerDown(button, POINTER)
  fireEvent.pointerUp(screen.getByText('Migration started'), POINTER)
  await settled()
  expect(onPress).toHaveBeenCalledTimes(1)
})

it('a press does not count when a dialog covers the button before the release', async () => {
  const onPress = vi.fn()
  const { button } = shown(onPress)
  render(<div role="dialog">Confirm</div>)
  fireEvent.pointerDown(button, POINTER)
  fireEvent.pointerUp(screen.getByText('Confirm'), POINTER)
  await settled()
  expect(onPress).not.toHaveBeenCalled()
})

it.each<[string, readonly Partial<ComponentProps<typeof PressButton>>[]]>([
  ['its text changes', [{ children: 'Measure again' }]],
  ['it is pending for a moment', [{ isPending: true }, {}]],
])('a press counts once when %s between down and up', async (_case, changes) => {
  const onPress = vi.fn()
  const props = { className: '', children: 'Measure', onPress }
  const { rerender } = render(<PressButton {...props} />)
  const button = screen.getByRole('button')
  fireEvent.pointerDown(button, POINTER)
  for (const change of changes) rerender(<PressButton {...props} {...change} />)
  fireEvent.pointerUp(button, POINTER)
  fireEvent.click(button, { detail: 1 })
  expect(screen.getByRole('button')).toBe(button)
  await settled()
  expect(onPress).toHaveBeenCalledTimes(1)
})

it('a press counts when the icon under the pointer is replaced, for which browsers send no click', async () => {
  const onPress = vi.fn()
  const button = (icon: string) => (
    <PressButton className="" onPress={onPress}>
      <i key={icon}>{icon}</i>
    </PressButton>
  )
  const { rerender } = render(button('play'))
  fireEvent.pointerDown(screen.getByText('play'), POINTER)
  rerender(button('pause'))
  fireEvent.pointerUp(screen.getByText('pause'), POINTER)
  await vi.waitFor(() => expect(onPress).toHaveBeenCalledTimes(1))
})

it('a press that the browser turns into a scroll is dropped', async () => {
  const onPress = vi.fn()
  const { button, move } = shown(onPress)
  fireEvent.pointerDown(button, POINTER)
  fireEvent.pointerCancel(document.body, POINTER)
  move(HEIGHT)
  fireEvent.pointerUp(document.body, POINTER)
  await settled()
  expect(onPress).not.toHaveBeenCalled()
})
