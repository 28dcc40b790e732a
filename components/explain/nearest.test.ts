import { expect, test } from 'vitest'
import type { WhyHost } from '@/server/api/explain/router'
import { withFixes } from './nearest'

const host = (id: string, verdict: WhyHost['verdict']): WhyHost => ({
  ...{ host: { id, name: id }, zone: null, truth: 'up', admission: 'open', verdict, rank: null },
  ...{ isSource: false, silence: null, storage: null, reasons: [] },
})
const hosts = [host('a', 'refused'), host('b', 'refused'), host('c', 'ok')]
const FIX = { is: 'found', steps: [{ do: 'enable' }] } as const
const fixes = (answer: Parameters<typeof withFixes>[1]) => withFixes(hosts, answer).map(({ fix }) => fix)

test('a fix is awaited until there is an answer, and then stands or is still to be asked for', () => {
  expect(fixes({ data: undefined, isError: false })).toEqual([{ is: 'awaited' }, { is: 'awaited' }, null])
  const unsearched = { is: 'unsearched' }
  expect(fixes({ data: undefined, isError: true })).toEqual([unsearched, unsearched, null])
  expect(fixes({ data: { largest: [], fixes: { a: FIX } }, isError: false })).toEqual([FIX, unsearched, null])
  expect(fixes({ data: { largest: [], fixes: null }, isError: false })).toEqual([unsearched, unsearched, null])
})
