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
