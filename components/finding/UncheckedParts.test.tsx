import { cleanup, render } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import type { AuditStatus } from '@/server/api/finding/status'
import { UncheckedParts } from './UncheckedParts'

afterEach(cleanup)

const refs = (n: number) => Array.from({ length: n }, (_, each) => ({ id: `h-${each}`, name: `h-${each}` }))

it('the audit status counts everything that it skipped, and links to it', () => {
  const number = fc.constantFrom(0, 1, 7)
  fc.assert(
    fc.property(number, number, number, (silent, never, undecided) => {
      const status: AuditStatus = {
        ...{ at: 1, tookMs: 1, hosts: 20, instances: 20, byKind: [], surveyAt: 1 },
        ...{ silent: refs(silent), neverAnswered: refs(never), undecided: { count: undecided, byHost: {} } },
      }
      const { container, unmount } = render(<UncheckedParts status={status} />)
      const links = [...container.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')])
      const plural = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`
      const wanted = [
        ...(silent > 0 ? [[`${plural(silent, 'host')} did not answer`, '/hosts?q=answers%3Ano']] : []),
        ...(never > 0 ? [[`${plural(never, 'host')} never answered`, '/hosts?q=answers%3Anever']] : []),
        ...(undecided > 0 ? [[plural(undecided, 'waiting migration'), '/migrations?view=waiting']] : []),
      ]
      expect(links).toEqual(wanted)
      expect(/Nothing was skipped/.test(container.textContent ?? '')).toBe(wanted.length === 0)
      unmount()
    }),
  )
})

it('the status of one host shows only its own gaps, and “nothing was skipped” only after an audit', () => {
  const status: AuditStatus = {
    ...{ at: 1, tookMs: 1, hosts: 20, instances: 20, byKind: [], surveyAt: 1 },
    ...{ silent: refs(1), neverAnswered: [], undecided: { count: 5, byHost: { 'h-9': 2 } } },
  }
  const textFor = (host: string, over: Partial<AuditStatus> = {}) => {
    const { container, unmount } = render(<UncheckedParts status={{ ...status, ...over }} host={host} />)
    const text = container.textContent
    unmount()
    return text
  }
  expect(textFor('h-0')).toMatch(/this host: it did not answer the last survey/)
  expect(textFor('h-9')).toMatch(/2 waiting migrations/)
  // h-0 did not answer.
  expect(textFor('h-5')).toMatch(/Nothing was skipped: this host answered/)
  expect(textFor('h-5', { at: null })).toMatch(/No audit has run yet/)
})
