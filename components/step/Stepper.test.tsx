import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { MigrationDetail } from '@/server/api/migration/detail'
import { Stepper } from './Stepper'

afterEach(cleanup)

const migration = (waiting: MigrationDetail['waiting']): MigrationDetail =>
  ({ operation: 'resize', step: 'verify', direction: 'target', outcome: null, steps: [], waiting }) as never

const current = () => screen.getAllByRole('listitem').filter((each) => each.getAttribute('aria-current') === 'step')

it('only the step that the migration record blocks says so', () => {
  render(<Stepper migration={migration({ for: 'repair', law: 'claims', why: 'no claim', since: 0 })} />)
  expect(current().map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/verify.*blocked by records/)])
  expect(screen.getAllByText('blocked by records')).toHaveLength(1)
})

it('the mark of a step shows only whether it is done, running or ahead', () => {
  const records = (['claim', 'prepare'] as const).map((step) => ({ step, direction: 'target', result: 'done' }))
  const of = { ...migration(null), step: 'transfer', steps: [...records, { step: 'transfer', direction: 'target' }] }
  const { container } = render(<Stepper migration={of as never} />)
  const marks = [...container.querySelectorAll('li')].map((item) => item.querySelector('svg, .glyph-ring')?.innerHTML)
  const [claim, prepare, transfer, ahead, ...rest] = marks
  expect(prepare).toBe(claim)
  expect(new Set([claim, transfer, ahead]).size).toBe(3)
  expect(new Set([ahead, ...rest]).size).toBe(1)
})

it('a step that waits for confirm or revert says so', () => {
  render(<Stepper migration={migration({ for: 'person', since: 0 })} />)
  expect(current().map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/verify.*awaiting confirm or revert/),
  ])
})

it('a step that failed does not say what it would have done', () => {
  const claim = { step: 'claim', direction: 'target', result: 'failed' }
  const of = { ...migration(null), step: 'ended', outcome: 'failed', steps: [claim] }
  render(<Stepper migration={of as never} />)
  expect(screen.getAllByRole('listitem')[0]?.textContent).toMatch(/^claimfailed/)
  expect(screen.queryByText('target claimed')).toBeNull()
})

it.each([
  ['target', 'completed', 'confirmed'],
  ['source', 'reverted', 'reverted'],
] as const)('after an answer towards the %s, nothing awaits one', (direction, outcome, said) => {
  const verify = { step: 'verify', direction: 'target', result: 'done' }
  const of = { ...migration(null), direction, step: 'ended', outcome, steps: [verify] }
  render(<Stepper migration={of as never} />)
  expect(screen.getAllByRole('listitem')[4]?.textContent).toMatch(new RegExp(`^verify${said}`))
  expect(screen.queryByText('awaiting confirm or revert')).toBeNull()
})
