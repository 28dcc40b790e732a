import { cleanup, render, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { useLostFocus } from './lost-focus'

afterEach(cleanup)

function Frame() {
  const home = useRef<HTMLElement>(null)
  const [isDone, setDone] = useState(false)
  const [other, setOther] = useState(true)
  useLostFocus(home)
  return (
    <main ref={home} tabIndex={-1}>
      {isDone ? null : (
        <button type="button" onClick={() => setDone(true)}>
          Enable
        </button>
      )}
      {other ? <p>news</p> : null}
      <button type="button" onClick={() => setOther(false)}>
        Read
      </button>
    </main>
  )
}

const button = (name: string) => screen.getByRole('button', { name })
const twoFrames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

it('removing the focused button moves the focus to the main content', async () => {
  render(<Frame />)
  button('Enable').focus()
  button('Enable').click()
  await expect.poll(() => document.activeElement).toBe(screen.getByRole('main'))
})

it('a page that changes in every frame does not delay that', async () => {
  render(<Frame />)
  const busy = document.body.appendChild(document.createElement('p'))
  let frame = 0
  const change = () => {
    busy.replaceChildren(document.createTextNode('news'))
    frame = requestAnimationFrame(change)
  }
  change()
  button('Enable').focus()
  button('Enable').click()
  await expect.poll(() => document.activeElement).toBe(screen.getByRole('main'))
  cancelAnimationFrame(frame)
  busy.remove()
})

it('removing an element beside the focus does not move it', async () => {
  render(<Frame />)
  button('Read').focus()
  button('Read').click()
  await expect.poll(() => screen.queryByText('news')).toBeNull()
  await twoFrames()
  await twoFrames()
  expect(document.activeElement).toBe(button('Read'))
})

it('a user who has moved the focus keeps it there', async () => {
  render(<Frame />)
  button('Enable').focus()
  const enable = button('Enable')
  button('Read').focus()
  enable.click()
  await expect.poll(() => enable.isConnected).toBe(false)
  await twoFrames()
  await twoFrames()
  expect(document.activeElement).toBe(button('Read'))
})
