import { expect, test } from 'vitest'
import type { PartView, RefusalCauseView } from '@/server/api/explain/summary'
import { summaryText, unfixableText } from './summary'

const NONE: PartView = { hosts: 0, causes: [] }
const cause = (
  rule: RefusalCauseView['rule'],
  hosts: number,
  set: Partial<RefusalCauseView> = {},
): RefusalCauseView => ({
  ...{ rule, hosts, resourceClass: null, pageKib: null, need: null, free: null, unit: null },
  ...set,
})
const part = (...causes: readonly RefusalCauseView[]): PartView => ({
  hosts: causes.reduce((sum, { hosts }) => sum + hosts, 0),
  causes,
})
const pcpu = (hosts: number, free: number) =>
  cause('amount', hosts, { resourceClass: 'PCPU', need: 8, free, unit: 'CPUs' })
const noGpu = cause('vgpus', 53, { need: 1, free: 0, unit: 'devices' })

test.each([
  [part(pcpu(7, 0)), part(noGpu), 'All 7 hosts with matching vGPUs are out of pinned CPUs.'],
  [part(pcpu(1, 0)), part(noGpu), 'The only host with matching vGPUs is out of pinned CPUs.'],
  [part(pcpu(3, 5)), NONE, 'All 3 hosts are short of pinned CPUs (needs 8 CPUs, at most 5 CPUs free).'],
  [
    part(pcpu(5, 0), cause('host-disabled', 1), cause('host-not-up', 1)),
    part(noGpu, cause('zone', 2, { need: 'az1' })),
    'Of 7 suitable hosts, 5 are out of pinned CPUs, 1 is disabled and 1 is not up.',
  ],
  [
    NONE,
    part(cause('amount-shape', 60, { resourceClass: 'PCPU', need: 'at most 80' })),
    'All 60 hosts allow at most 80 pinned CPUs for one instance.',
  ],
  [
    part(cause('host-disabled', 1), cause('host-not-up', 1), cause('host-quarantined', 1), cause('pages', 2)),
    NONE,
    'Of 5 hosts, 1 is disabled, 1 is not up, 1 is quarantined and 2 refuse for other reasons.',
  ],
])('one sentence says what the hosts lack %#', (fixable, unfixable, text) => {
  expect(summaryText({ fixable, unfixable }, 0)).toBe(text)
})

test('hosts without a fix have a sentence of their own', () => {
  expect(unfixableText({ fixable: part(pcpu(7, 0)), unfixable: part(noGpu) }, 0)).toBe(
    'All 53 other hosts have no matching vGPUs.',
  )
  expect(unfixableText({ fixable: NONE, unfixable: part(noGpu) }, 0)).toBeNull()
  expect(summaryText({ fixable: NONE, unfixable: NONE }, 0)).toBeNull()
})

test.each([
  [part(pcpu(1, 0)), NONE, '1 other host is out of pinned CPUs.', null],
  [
    part(pcpu(3, 0)),
    part(noGpu),
    '3 other hosts are out of pinned CPUs.',
    'All 53 remaining hosts have no matching vGPUs.',
  ],
  [
    part(pcpu(2, 0), cause('host-disabled', 1)),
    part(noGpu, cause('zone', 2, { need: 'az1' })),
    'Of 3 other hosts, 2 are out of pinned CPUs and 1 is disabled.',
    /^Of 55 remaining hosts, 53 have no matching vGPUs and 2 /,
  ],
  [NONE, part(noGpu), 'All 53 other hosts have no matching vGPUs.', null],
  [NONE, part(cause('host-disabled', 1)), 'The only other host is disabled.', null],
])('a sentence about the refusing hosts says nothing of those that fit %#', (fixable, unfixable, text, rest) => {
  expect(summaryText({ fixable, unfixable }, 14)).toBe(text)
  const second = unfixableText({ fixable, unfixable }, 14)
  if (rest instanceof RegExp) expect(second).toMatch(rest)
  else expect(second).toBe(rest)
})
