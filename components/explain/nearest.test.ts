import { expect, test } from 'vitest'
import type { ExplainHost } from '@/server/api/explain/router'
import { changesOf, withFixes } from './nearest'

const host = (id: string, verdict: ExplainHost['verdict']): ExplainHost => ({
  ...{ host: { id, name: id }, zone: null, status: 'up', scheduling: 'enabled', verdict, rank: null },
  ...{ isSource: false, silence: null, storage: null, reasons: [], standing: null, changes: 1, fix: null },
})
const hosts = [host('a', 'refused'), host('b', 'refused'), host('c', 'ok')]
const FIX = { is: 'found', steps: [{ do: 'enable' }] } as const
const fixes = (answer: Parameters<typeof withFixes>[1]) => withFixes(hosts, answer).map(({ fix }) => fix)

test('a fix is awaited until the answer arrives, then it is found or unsearched', () => {
  expect(fixes({ data: undefined, isError: false })).toEqual([{ is: 'awaited' }, { is: 'awaited' }, null])
  const unsearched = { is: 'unsearched' }
  expect(fixes({ data: undefined, isError: true })).toEqual([unsearched, unsearched, null])
  expect(fixes({ data: { largest: [], fixes: { a: FIX } }, isError: false })).toEqual([FIX, unsearched, null])
  expect(fixes({ data: { largest: [], fixes: null }, isError: false })).toEqual([unsearched, unsearched, null])
})

test('a fix that arrives with the verdicts is not awaited, and its steps are counted', () => {
  const [a, b] = withFixes([{ ...host('a', 'refused'), fix: FIX }, host('b', 'refused')], {
    data: undefined,
    isError: false,
  })
  expect(a?.fix).toEqual(FIX)
  expect(a && changesOf(a)).toEqual({ n: 1, least: false })
  expect(b && changesOf(b)).toEqual({ n: 1, least: true })
  const none = { ...host('c', 'refused'), changes: null, fix: { is: 'none', because: 'zone' } as const }
  expect(withFixes([none], { data: undefined, isError: false }).map(changesOf)).toEqual([null])
})
