import { describe, expect, test, vi } from 'vitest'
import { type Drivers, unconnected } from '../drivers/registry'
import type { HostTruth } from '../engine/host'
import type { HostId } from '../engine/words/ids'
import { surveyOnce } from './survey'

const host = (name: string, truth: HostTruth = 'up') => ({ id: name as HostId, truth, driver: 'simulated' as const })

async function seen(hosts: ReturnType<typeof host>[], survey: Drivers['simulated']['survey']) {
  const noted: (readonly [readonly HostId[], number])[] = []
  const drivers = { simulated: { survey }, libvirt: unconnected('libvirt'), openstack: unconnected('openstack') }
  const answer = surveyOnce({
    hosts: async () => hosts,
    drivers,
    noteSeen: async (ids, at) => void noted.push([ids, at]),
    now: () => 7,
  })
  return { answer, noted }
}

describe('a survey', () => {
  test('notes who answered, whether or not guests are there', async () => {
    const { answer, noted } = await seen([host('a'), host('b', 'down')], async () => [])
    expect([...(await answer)].sort()).toEqual(['a', 'b'])
    expect(noted).toHaveLength(1)
    expect(noted[0]?.[1]).toBe(7)
  })

  test('does not note a silent host, one that throws, or one that takes too long', async () => {
    vi.useFakeTimers()
    try {
      const { answer, noted } = await seen([host('silent'), host('broken'), host('slow'), host('well')], (id) => {
        if ((id as string) === 'silent') return Promise.resolve(null)
        if ((id as string) === 'broken') return Promise.reject(new Error('connection refused'))
        return (id as string) === 'slow' ? new Promise(() => {}) : Promise.resolve([])
      })
      await vi.advanceTimersByTimeAsync(60_000)
      expect(await answer).toEqual(['well'])
      expect(noted[0]?.[0]).toEqual(['well'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('does not ask a host that is gone', async () => {
    const asked: string[] = []
    const { answer, noted } = await seen([host('lost', 'gone')], async (id) => {
      asked.push(id)
      return []
    })
    expect(await answer).toEqual([])
    expect(asked).toEqual([])
    expect(noted).toEqual([])
  })
})
