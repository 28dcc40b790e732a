import { expect, test } from 'vitest'
import { countFits } from '../../engine/fit-count'
import { smallHost } from '../../engine/testing/hosts'
import { demandFor, pinned, withInstance } from '../../engine/testing/instances'
import { fitCountsOf } from './flavor-fits'

test('fitCountsOf equals a fresh count for each host, also after a host has changed', async () => {
  const demand = demandFor(pinned(2))
  const hosts = Array.from({ length: 90 }, (_, n) => smallHost({ n: n + 1 }))
  const counted = (of: typeof hosts) => countFits({ demand, hosts: of, budget: 10_000 }).fits
  expect(await fitCountsOf(demand, hosts)).toEqual(counted(hosts))
  const later = hosts.with(70, withInstance(hosts[70]!, 1, pinned(2)))
  const fits = await fitCountsOf(demand, later)
  expect(fits).toEqual(counted(later))
  expect(fits.get(hosts[70]!.id)!.more).toBeLessThan(fits.get(hosts[69]!.id)!.more)
})

test('fitCountsOf continues a count that its budget cut short on the next call', async () => {
  const demand = demandFor(pinned(1))
  const hosts = Array.from({ length: 300 }, (_, n) => smallHost({ n: n + 1 }))
  const first = [...(await fitCountsOf(demand, hosts)).values()]
  expect(first.at(-1)).toEqual({ more: 0, exact: false })
  expect([...(await fitCountsOf(demand, hosts)).values()].every(({ exact }) => exact)).toBe(true)
})
