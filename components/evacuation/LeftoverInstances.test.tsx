import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { LeftoverInstances } from './LeftoverInstances'

afterEach(cleanup)

const view = { stale: [], quarantined: false } as const

it('a host that answers has no stale domains if none is listed', () => {
  render(<LeftoverInstances view={{ ...view, contact: 'answering' }} />)
  expect(screen.getByText('This host has no domains that belong elsewhere.')).toBeTruthy()
})

it.each(['silent', 'never-answered', null] as const)(
  'what runs on a host that does not answer is unknown: %s',
  (contact) => {
    render(<LeftoverInstances view={{ ...view, contact }} />)
    expect(screen.getByText(/None recorded. What runs there is unknown/)).toBeTruthy()
  },
)

it('what a host that does not answer ran at its last answer has the age of that answer', () => {
  const observedAt = Date.now() - 240_000
  const stale = [{ instance: { id: 'i', name: 'web-1' }, observedState: 'running', observedAt, livesOn: null }]
  render(<LeftoverInstances view={{ ...view, stale, contact: null }} />)
  expect(screen.getByRole('row', { name: /web-1/ }).textContent).toMatch(/running.*4 min.* ago/)
  expect(screen.getByText('to clean up')).toBeTruthy()
})
