import { expect, it } from 'vitest'
import { reasonText } from './reason-text'
import { DEFAULT_FALLBACK } from './words'

const refusing = {
  of: 12,
  rules: [
    { rule: 'amount', hosts: 7 },
    { rule: 'host-disabled', hosts: 5 },
  ],
} as const

it('the reason why an instance stays counts all hosts, not only the first refusal', () => {
  const why = 'Nearest to a fit, h-2: Too little is free.'
  expect(reasonText({ why, to: null, state: 'blocked', refusing })).toBe(
    'Fits on none of 12 hosts: not enough on 7, host disabled on 5. Nearest to a fit, h-2: Too little is free.',
  )
})

it('the reason for a cold migration counts all hosts as well', () => {
  const to = { id: 'h-2', name: 'h-2' }
  const text = reasonText({ why: 'h-2 is the only host where it fits.', to, state: 'planned', refusing })
  expect(text).toMatch(/^Fits live on none of 12 hosts: not enough on 7, .* h-2 is the only host/)
})

it('a drain stops no instance unless the operator chooses so', () => {
  expect(DEFAULT_FALLBACK).toBe('stay')
})
