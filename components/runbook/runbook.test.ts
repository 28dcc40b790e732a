import { describe, expect, it } from 'vitest'
import { isRunbookKind, runbook, runbookKinds } from './runbook'

describe('the runbook', () => {
  it('has no page for an unknown kind of finding', () => {
    expect(isRunbookKind('orphan-claim')).toBe(true)
    expect(isRunbookKind('constructor')).toBe(false)
  })

  it.each(runbookKinds)('%s has each step as a sentence', (kind) => {
    const { means, risk, berth, verified, comes, you } = runbook[kind]
    for (const text of [means, risk, berth, verified, ...comes, ...you]) expect(text).toMatch(/^[A-Z].*[.”]$/s)
    expect(you.length).toBeGreaterThan(0)
    expect(comes.length).toBeGreaterThan(0)
  })
})
