import { beforeEach, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import type { HostId } from '../../engine/words/ids'
import { connectDatabase } from '../database/database'
import { readHostFacts, readUnanswered } from '../host/facts'
import { newInstanceId, putHost } from '../testing/records'
import { type DomainObservation, type HostAnswer, noteSurvey, readSurveys } from './survey'

const database = onFreshDatabase(connectDatabase)
let n = 0
let host: HostId
beforeEach(async () => {
  host = hostId(++n)
  await putHost(database, smallHost({ n }))
})

const domain = (observedState: DomainObservation['observedState'] = 'running'): DomainObservation => ({
  instance: newInstanceId(),
  migration: null,
  observedState,
  claim: null,
})
const note = (domains: readonly DomainObservation[] | null, at: number) =>
  noteSurvey(database, [{ host, at, guests: domains }])
const row = async () => (await readSurveys(database, [host]))[0]

test('a host that never answered has unknown domains', async () => {
  await note(null, 1_000)
  expect(await row()).toMatchObject({ askedAt: 1_000, answered: false, answeredAt: null, guests: null, earlier: null })
  expect((await readHostFacts(database, [host]))[0]?.lastSeenAt).toBeNull()
})

test('the first answer is one observation, and the same again is two', async () => {
  const web = domain()
  await note([web], 1_000)
  expect(await row()).toMatchObject({ answered: true, answeredAt: 1_000, since: 1_000, guests: [web], earlier: null })
  await note([web], 2_000)
  await note([web], 3_000)
  expect(await row()).toMatchObject({ answeredAt: 3_000, previousAt: 2_000, since: 1_000, guests: [web] })
  expect((await readHostFacts(database, [host]))[0]?.lastSeenAt).toBe(3_000)
})

test('the same domains in another order are the same answer', async () => {
  const [a, b] = [domain(), domain('stopped')]
  await note([a, b], 1_000)
  await note([b, a], 2_000)
  expect(await row()).toMatchObject({ since: 1_000, answeredAt: 2_000, guests: [a, b] })
})

test('a different answer keeps the previous one', async () => {
  const [a, b] = [domain(), domain()]
  await note([a], 1_000)
  await note([a], 2_000)
  await note([a, b], 3_000)
  expect(await row()).toMatchObject({
    ...{ answeredAt: 3_000, previousAt: 2_000, since: 3_000, guests: [a, b] },
    earlier: { at: 2_000, guests: [a] },
  })
})

test('a change of devices is a different answer, and unreported devices differ from none', async () => {
  const [web, unit] = [domain(), 'pci:0000:3b:02.1' as const]
  const tell = (at: number, devices: HostAnswer['devices']) =>
    noteSurvey(database, [{ host, at, guests: [web], devices: devices ?? null }])
  await note([web], 1_000)
  expect(await row()).toMatchObject({ since: 1_000, devices: null })
  await tell(2_000, [])
  expect(await row()).toMatchObject({ since: 2_000, devices: [], earlier: { at: 1_000, devices: null } })
  const shown = { unit, driver: 'vfio-pci', attachedTo: web.instance }
  await tell(3_000, [shown])
  await tell(4_000, [shown])
  expect(await row()).toMatchObject({
    ...{ since: 3_000, answeredAt: 4_000, previousAt: 3_000, devices: [shown] },
    earlier: { at: 2_000, devices: [] },
  })
})

test('a domain that lost its tag is a different answer', async () => {
  const web = domain()
  await note([web], 1_000)
  const redefined = { ...web, untagged: true as const }
  await note([redefined], 2_000)
  expect(await row()).toMatchObject({ since: 2_000, guests: [redefined], earlier: { guests: [web] } })
})

test('a survey without an answer keeps the last domains with their age', async () => {
  const web = domain()
  await note([web], 1_000)
  await note(null, 5_000)
  expect(await row()).toMatchObject({ askedAt: 5_000, answered: false, answeredAt: 1_000, guests: [web] })
})

test('a survey without an answer stores why, in characters that can be stored, until the next answer', async () => {
  const silence = async () => (await readUnanswered(database)).get(host)
  await noteSurvey(database, [{ host, at: 1_000, guests: null, silence: 'refused\u0000 by \ud800peer' }])
  expect(await silence()).toBe('refused  by  peer')
  await note(null, 2_000)
  expect(await silence()).toBeNull()
  await noteSurvey(database, [{ host, at: 3_000, guests: null, silence: 'x'.repeat(10_000) }])
  expect(await silence()).toHaveLength(500)
  await note([], 4_000)
  expect((await row())?.answered).toBe(true)
})

test('a late answer does not overwrite a newer one', async () => {
  const [a, b] = [domain(), domain()]
  await note([a], 2_000)
  await note([b], 1_000)
  expect(await row()).toMatchObject({ askedAt: 2_000, answeredAt: 2_000, guests: [a] })
  expect((await readHostFacts(database, [host]))[0]?.lastSeenAt).toBe(2_000)
})

test('an answer that cannot be stored is no answer, and does not lose those of other hosts', async () => {
  const [bad, good] = [host, hostId(++n)]
  await putHost(database, smallHost({ n }))
  const odd = { ...domain(), claim: { amounts: [], cells: [], units: ['\u0000'] } as never }
  await noteSurvey(database, [
    { host: bad, at: 1_000, guests: [odd] },
    { host: good, at: 1_000, guests: [domain()] },
  ])
  const rows = await readSurveys(database, [bad, good])
  expect(rows.find((each) => each.host === good)).toMatchObject({ answered: true, answeredAt: 1_000 })
  expect(rows.find((each) => each.host === bad)).toMatchObject({ answered: false, guests: null })
  expect((await readUnanswered(database)).get(bad)).toMatch(/cannot be stored/)
})

test('a survey of an unknown host is ignored, so a removed host does no harm', async () => {
  await expect(noteSurvey(database, [{ host: hostId(9_999), at: 1_000, guests: [] }])).resolves.toBeUndefined()
})

test('an answer with a time in the future does not block later ones', async () => {
  const web = domain()
  const now = Date.now()
  await note([web], now + 3_600_000)
  await note([], now)
  expect(await row()).toMatchObject({ askedAt: now, answered: true, guests: [] })
  expect((await readHostFacts(database, [host]))[0]?.lastSeenAt).toBe(now)
  await note([web], now - 1)
  expect(await row()).toMatchObject({ askedAt: now, guests: [] })
})

test('simultaneous surveys do not deadlock, in whatever order they name their hosts', async () => {
  const numbers = Array.from({ length: 40 }, () => ++n)
  for (const each of numbers) await putHost(database, smallHost({ n: each }))
  const hosts = numbers.map(hostId)
  const answers = (at: number, seed: number): HostAnswer[] =>
    hosts
      .map((each, nth) => ({ host: each, at, guests: [domain()], order: (nth * (2 * seed + 3)) % 41 }))
      .sort((a, b) => a.order - b.order)
      .map(({ order: _, ...answer }) => answer)
  for (let round = 1; round <= 15; round++) {
    const surveys = [1, 2, 3, 4, 5, 6].map((seed) => noteSurvey(database, answers(round * 1_000 + seed, seed)))
    await expect(Promise.all(surveys)).resolves.toHaveLength(6)
  }
})
