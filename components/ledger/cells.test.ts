import { expect, it } from 'vitest'
import type { LedgerRow } from '@/server/api/ledger/router'
import { marksOf, migrationText, unitsText } from './cells'

const rowWith = (part: Partial<LedgerRow>): LedgerRow => ({
  id: 'c p',
  consumer: { kind: 'instance', id: 'c', name: 'web-1', project: 'shop', generation: 1, type: null, swap: null },
  provider: { id: 'p', name: 'h1', generation: 1, root: 'p' },
  host: { id: 'p', name: 'h1' },
  ...{ amounts: [], claim: 'k', since: 0, wrote: null, findings: [], migration: null, units: [] },
  ...part,
})

it.each([
  [[], ''],
  [['cpu:2', 'cpu:3', 'cpu:4', 'cpu:9'], 'CPUs 2-4,9'],
  [['pci:0000:3b:02.1'], '0000:3b:02.1'],
  [['cpu:7', 'vgpu:gpu-0-1'], 'CPUs 7, gpu-0-1'],
])('units %j are shown as %j', (units, text) => {
  expect(unitsText(rowWith({ units }))).toBe(text)
})

it('a row of a migration shows its operation and its side', () => {
  const migration = { id: 'm', operation: 'live-migrate' as const }
  expect(migrationText(rowWith({ migration: { ...migration, side: 'target' } }))).toBe('live migration, target')
  expect(migrationText(rowWith({ migration: { ...migration, side: null } }))).toBe('live migration')
  expect(migrationText(rowWith({}))).toBe('')
})

it('an allocation without a claim is orphaned on a host of Berth, but normal on a tree of Nova', () => {
  expect(marksOf(rowWith({ claim: null }))).toEqual(['orphaned: no matching claim'])
  expect(marksOf(rowWith({ claim: null, host: null }))).toEqual(['managed by Nova'])
  expect(marksOf(rowWith({}))).toEqual([])
})
