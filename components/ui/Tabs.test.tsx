import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { Tabs } from './Tabs'

const TABS = ['map', 'claims', 'events'] as const
const CONTENT = { map: <p>the map</p>, claims: <button type="button">claim</button>, events: <p>the events</p> }

function Host() {
  const [open, setOpen] = useState<(typeof TABS)[number]>('map')
  return (
    <Tabs
      label="Host"
      open={open}
      onOpen={setOpen}
      items={TABS.map((id) => ({ id, label: id, content: CONTENT[id] }))}
    />
  )
}

const tab = (name: string) => screen.getByRole('tab', { name })
const openTab = () => screen.getByRole('tab', { selected: true })

afterEach(cleanup)

describe('tabs', () => {
  it('open on click, and each names its panel', async () => {
    render(<Host />)
    await userEvent.click(tab('claims'))
    expect(openTab()).toBe(tab('claims'))
    const panel = screen.getByRole('tabpanel', { name: 'claims' })
    expect(panel.textContent).toBe('claim')
    expect(tab('claims').getAttribute('aria-controls')).toBe(panel.id)
    expect(tab('map').hasAttribute('aria-controls')).toBe(false)
  })

  it('move by arrow keys in a cycle, and by Home and End', async () => {
    render(<Host />)
    await userEvent.tab()
    const walk: [string, string][] = [
      ['{ArrowRight}', 'claims'],
      ['{ArrowRight}', 'events'],
      ['{ArrowRight}', 'map'],
      ['{ArrowLeft}', 'events'],
      ['{Home}', 'map'],
      ['{End}', 'events'],
    ]
    for (const [key, name] of walk) {
      await userEvent.keyboard(key)
      expect(document.activeElement).toBe(tab(name))
      expect(openTab()).toBe(tab(name))
    }
  })

  it('ignore other keys', async () => {
    render(<Host />)
    await userEvent.tab()
    await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}{ArrowDown}')
    expect(openTab()).toBe(tab('map'))
  })

  it('are one tab stop; the next one is in the panel, or the panel itself when it is empty', async () => {
    render(<Host />)
    await userEvent.tab()
    await userEvent.tab()
    expect(document.activeElement).toBe(screen.getByRole('tabpanel'))
    await userEvent.click(tab('claims'))
    await userEvent.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'claim' }))
  })
})
