import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { HeatCell } from '@/server/api/host/view'
import { Heatmap } from './Heatmap'

const cell = (name: string): HeatCell => ({
  ...{ id: name, name, zone: 'north', status: 'up', scheduling: 'enabled', movesIn: 1, movesOut: 0 },
  ...{ findings: 2, worst: 'critical' },
  ...{ run: null, contact: 'answering', cpus: { used: 30, total: 40 }, memoryMib: { used: 1, total: 2 } },
})
const tip = () => document.querySelector('[data-heat-tip]')?.textContent ?? null

afterEach(cleanup)

it('the tip names the hovered host and the focused one, until Escape', () => {
  render(<Heatmap hosts={[cell('h-01'), cell('h-02')]} shade={{ by: 'cpus' }} />)
  const [first, second] = screen.getAllByRole('link')
  expect(tip()).toBeNull()
  fireEvent.pointerOver(second!)
  expect(tip()).toBe('h-02up75 % of CPUs used1 in, 2 findings')
  act(() => first!.focus())
  expect(tip()).toContain('h-01')
  fireEvent.keyDown(first!, { key: 'Escape' })
  expect(tip()).toBeNull()
})
