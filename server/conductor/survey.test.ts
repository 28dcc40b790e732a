import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Driver } from '../drivers/driver'
import { unconnected } from '../drivers/registry'
import type { HostStatus } from '../engine/host'
import type { HostId } from '../engine/words/ids'
import type { HostAnswer } from '../store/survey/survey'
import { type SurveyOptions, surveyOnce } from './survey'

afterEach(() => void vi.useRealTimers())

const host = (name: string, status: HostStatus = 'up') => ({ id: name as HostId, status, driver: 'simulated' as const })
const many = (count: number) => Array.from({ length: count }, (_, n) => host(`h${n}`))

function runSurvey(
  hosts: readonly ReturnType<typeof host>[],
  simulated: Pick<Driver, 'survey' | 'devices'>,
  { only, ...options }: Partial<SurveyOptions> & { readonly only?: ReadonlySet<HostId> } = {},
) {
  const noted: HostAnswer[] = []
  const parts = {
    hosts: async () => hosts,
    drivers: { simulated, libvirt: unconnected('libvirt'), openstack: unconnected('openstack') },
    note: async (answers: readonly HostAnswer[]) => void noted.push(...answers),
    now: () => 7,
  }
  return { answer: surveyOnce({ ...parts, ...options }, only), noted }
}

describe('a survey', () => {
  test('records every host that answers, with and without domains', async () => {
    const { answer, noted } = runSurvey([host('a'), host('b', 'down')], { survey: async () => [] })
    expect([...(await answer)].sort()).toEqual(['a', 'b'])
    expect(noted).toEqual([
      { host: 'a', at: 7, guests: [], devices: null },
      { host: 'b', at: 7, guests: [], devices: null },
    ])
  })

  test('records devices that the driver reports, and null when that fails', async () => {
    const device = { unit: 'pci:0000:3b:02.1', driver: null, attachedTo: null } as const
    const devices = async (id: HostId) => ((id as string) === 'b' ? Promise.reject(new Error('no nodedev')) : [device])
    const { answer, noted } = runSurvey([host('a'), host('b')], { survey: async () => [], devices })
    await answer
    expect(noted.map(({ devices: of }) => of)).toEqual([[device], null])
  })

  test('in the background spreads its hosts over the whole interval', async () => {
    vi.useFakeTimers({ now: 0 })
    const askedAt: number[] = []
    const survey = async () => {
      askedAt.push(Date.now())
      return []
    }
    const options = { now: () => Date.now(), spreadMs: 20_000 }
    const paced = runSurvey(many(40), { survey }, options)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await paced.answer).toHaveLength(40)
    expect(askedAt).toEqual(Array.from({ length: 40 }, (_, n) => n * 30))
    askedAt.length = 0
    const large = runSurvey(many(4_000), { survey }, options)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await large.answer).toHaveLength(4_000)
    expect(askedAt.at(-1)! - askedAt[0]!).toBeGreaterThan(19_000)
  })

  test('stops at once when aborted, and is not delayed by a clock that is set back', async () => {
    vi.useFakeTimers({ now: 1_000_000 })
    const stop = new AbortController()
    const asked = { before: 0, after: 0 }
    const survey = async () => {
      asked[stop.signal.aborted ? 'after' : 'before']++
      return []
    }
    const options = { now: () => Date.now(), spreadMs: 20_000 }
    const stopped = runSurvey(many(100), { survey }, { ...options, stopping: stop.signal })
    await vi.advanceTimersByTimeAsync(600)
    stop.abort()
    await vi.advanceTimersByTimeAsync(600)
    expect(await stopped.answer).toHaveLength(asked.before)
    expect(asked).toEqual({ before: 21, after: 0 })

    const held = runSurvey(many(100), { survey: async () => [] }, options)
    await vi.advanceTimersByTimeAsync(0)
    vi.setSystemTime(0)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await held.answer).toHaveLength(100)
  })

  test('records a silent, failing or slow host as unanswered', async () => {
    vi.useFakeTimers()
    const survey: Driver['survey'] = (id) => {
      if ((id as string) === 'silent') return Promise.resolve(null)
      if ((id as string) === 'broken') return Promise.reject(new Error('connection refused'))
      return (id as string) === 'slow' ? new Promise(() => {}) : Promise.resolve([])
    }
    const { answer, noted } = runSurvey([host('silent'), host('broken'), host('slow'), host('well')], { survey })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await answer).toEqual(['well'])
    const silent = noted.filter(({ guests: domains }) => domains === null).map(({ host: id, silence }) => [id, silence])
    expect(Object.fromEntries(silent)).toEqual({
      ...{ broken: 'connection refused', silent: null, slow: 'no answer within 10000 ms' },
    })
  })

  test('cancels the query of a host that it no longer waits for', async () => {
    vi.useFakeTimers()
    const signals = new Map<string, AbortSignal | undefined>()
    const survey: Driver['survey'] = (id, signal) => {
      signals.set(id, signal)
      return new Promise(() => {})
    }
    const { answer } = runSurvey([host('slow')], { survey })
    await vi.advanceTimersByTimeAsync(9_999)
    expect(signals.get('slow')?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(signals.get('slow')?.aborted).toBe(true)
    expect(await answer).toEqual([])
  })

  test('skips a host that is permanently lost', async () => {
    const survey = vi.fn(async () => [])
    const { answer, noted } = runSurvey([host('lost', 'lost')], { survey })
    expect(await answer).toEqual([])
    expect(survey).not.toHaveBeenCalled()
    expect(noted).toEqual([])
  })

  test('covers only the named hosts, if any are named', async () => {
    const survey = vi.fn<Driver['survey']>(async () => [])
    const hosts = [host('a'), host('b'), host('lost', 'lost')]
    const only = new Set(['b', 'lost'] as HostId[])
    expect(await runSurvey(hosts, { survey }, { only }).answer).toEqual(['b'])
    expect(survey.mock.calls.map(([id]) => id)).toEqual(['b'])
  })
})
