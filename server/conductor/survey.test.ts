import { describe, expect, test, vi } from 'vitest'
import { type Drivers, unconnected } from '../drivers/registry'
import type { HostStatus } from '../engine/host'
import type { HostId } from '../engine/words/ids'
import type { HostAnswer } from '../store/survey/survey'
import { surveyOnce } from './survey'

const host = (name: string, status: HostStatus = 'up') => ({ id: name as HostId, status, driver: 'simulated' as const })

async function runSurvey(hosts: ReturnType<typeof host>[], survey: Drivers['simulated']['survey']) {
  const noted: HostAnswer[] = []
  const drivers = { simulated: { survey }, libvirt: unconnected('libvirt'), openstack: unconnected('openstack') }
  const answer = surveyOnce({
    hosts: async () => hosts,
    drivers,
    note: async (answers) => void noted.push(...answers),
    now: () => 7,
  })
  return { answer, noted }
}

describe('a survey', () => {
  test('notes who answered, whether or not guests are there', async () => {
    const { answer, noted } = await runSurvey([host('a'), host('b', 'down')], async () => [])
    expect([...(await answer)].sort()).toEqual(['a', 'b'])
    expect(noted).toEqual([
      { host: 'a', at: 7, guests: [], devices: null },
      { host: 'b', at: 7, guests: [], devices: null },
    ])
  })

  test('notes devices where the driver tells them; that it failed to is not that there are none', async () => {
    const noted: HostAnswer[] = []
    const device = { unit: 'pci:0000:3b:02.1', driver: null, attachedTo: null } as const
    const devices = async (id: HostId) => ((id as string) === 'b' ? Promise.reject(new Error('no nodedev')) : [device])
    await surveyOnce({
      hosts: async () => [host('a'), host('b')],
      drivers: {
        simulated: { survey: async () => [], devices },
        ...{ libvirt: unconnected('libvirt'), openstack: unconnected('openstack') },
      },
      note: async (answers) => void noted.push(...answers),
      now: () => 7,
    })
    expect(noted.map(({ devices: told }) => told)).toEqual([[device], null])
  })

  test('that nobody waits for asks host after host, and all of them in its time', async () => {
    vi.useFakeTimers({ now: 0 })
    try {
      const askedAt: number[] = []
      const survey = async () => {
        askedAt.push(Date.now())
        return []
      }
      const options = {
        drivers: { simulated: { survey }, libvirt: unconnected('libvirt'), openstack: unconnected('openstack') },
        note: async () => {},
        now: () => Date.now(),
      }
      const many = (count: number) => async () => Array.from({ length: count }, (_, n) => host(`h${n}`))
      const paced = surveyOnce({ ...options, hosts: many(40), spreadMs: 20_000 })
      await vi.advanceTimersByTimeAsync(20_000)
      expect(await paced).toHaveLength(40)
      expect(askedAt).toEqual(Array.from({ length: 40 }, (_, n) => n * 30))
      askedAt.length = 0
      const large = surveyOnce({ ...options, hosts: many(4_000), spreadMs: 20_000 })
      await vi.advanceTimersByTimeAsync(20_000)
      expect(await large).toHaveLength(4_000)
      expect(askedAt.at(-1)! - askedAt[0]!).toBeGreaterThan(19_000)
    } finally {
      vi.useRealTimers()
    }
  })

  test('asks nobody any more when it is stopped, and is not held up by a clock that is set back', async () => {
    vi.useFakeTimers({ now: 1_000_000 })
    try {
      const stop = new AbortController()
      const asked = { before: 0, after: 0 }
      const survey = async () => {
        asked[stop.signal.aborted ? 'after' : 'before']++
        return []
      }
      const options = {
        drivers: { simulated: { survey }, libvirt: unconnected('libvirt'), openstack: unconnected('openstack') },
        note: async () => {},
        now: () => Date.now(),
        hosts: async () => Array.from({ length: 100 }, (_, n) => host(`h${n}`)),
        spreadMs: 20_000,
      }
      const stopped = surveyOnce({ ...options, stopping: stop.signal })
      await vi.advanceTimersByTimeAsync(600)
      stop.abort()
      await vi.advanceTimersByTimeAsync(600)
      expect(await stopped).toHaveLength(asked.before)
      expect(asked).toEqual({ before: 21, after: 0 })

      const held = surveyOnce({ ...options, drivers: { ...options.drivers, simulated: { survey: async () => [] } } })
      await vi.advanceTimersByTimeAsync(0)
      vi.setSystemTime(0)
      await vi.advanceTimersByTimeAsync(20_000)
      expect(await held).toHaveLength(100)
    } finally {
      vi.useRealTimers()
    }
  })

  test('notes of a silent host, one that throws, or one that takes too long that nobody answered', async () => {
    vi.useFakeTimers()
    try {
      const { answer, noted } = await runSurvey([host('silent'), host('broken'), host('slow'), host('well')], (id) => {
        if ((id as string) === 'silent') return Promise.resolve(null)
        if ((id as string) === 'broken') return Promise.reject(new Error('connection refused'))
        return (id as string) === 'slow' ? new Promise(() => {}) : Promise.resolve([])
      })
      await vi.advanceTimersByTimeAsync(60_000)
      expect(await answer).toEqual(['well'])
      const silent = noted.filter(({ guests }) => guests === null).map(({ host: id }) => id)
      expect([...silent].sort()).toEqual(['broken', 'silent', 'slow'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('does not ask a host that is gone', async () => {
    const asked: string[] = []
    const { answer, noted } = await runSurvey([host('lost', 'lost')], async (id) => {
      asked.push(id)
      return []
    })
    expect(await answer).toEqual([])
    expect(asked).toEqual([])
    expect(noted).toEqual([])
  })

  test('asks only the hosts that are named, when some are', async () => {
    const asked: string[] = []
    const survey = async (id: HostId) => {
      asked.push(id)
      return []
    }
    const drivers = { simulated: { survey }, libvirt: unconnected('libvirt'), openstack: unconnected('openstack') }
    const hosts = [host('a'), host('b'), host('lost', 'lost')]
    const only = new Set(['b', 'lost'] as HostId[])
    expect(await surveyOnce({ hosts: async () => hosts, drivers, note: async () => {}, now: () => 7 }, only)).toEqual([
      'b',
    ])
    expect(asked).toEqual(['b'])
  })
})
