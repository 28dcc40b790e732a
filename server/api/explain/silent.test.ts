import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { hostId, smallHost } from '../../engine/testing/hosts'
import { pinned, withInstance } from '../../engine/testing/instances'
import { putFlavors, putSetting } from '../../store/catalog/policy'
import { putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'
import { largestSize } from './largest'
import { type ExplainRequest, requestForBuild } from './question'
import { evaluateHosts } from './verdicts'

// A host that does not answer may be chosen, and a migration there waits. So it ranks last on screen, as for the
// scheduler, and is not named for the largest shape while another host takes one.

const HOSTS = 6
const api = onFreshDatabase(openTestApi)
beforeAll(async () => {
  // Each has less free capacity than the previous one, so the first is the scheduler's choice.
  for (let n = 1; n <= HOSTS; n++) await putHost(api.database, withInstances(n))
  await putFlavors(api.database, [pinned(2, {}, { name: 'small' })])
  await putSetting(api.database, 'images', [{ name: 'debian', properties: {} }])
  await api.settle()
})

const withInstances = (n: number) =>
  Array.from({ length: n - 1 }, (_, instance) => n * 10 + instance).reduce(
    (host, instance) => withInstance(host, instance, pinned(1)),
    smallHost({ n, cells: 2 }),
  )

const ask = () => requestForBuild(api.services, { flavor: 'small', image: 'debian' })
const silent = (request: ExplainRequest, ids: readonly number[]): ExplainRequest => ({
  ...request,
  silentHosts: new Map(ids.map((n) => [hostId(n), { since: null }])),
})

test('silent hosts rank behind all that answer, and the order is otherwise the same', async () => {
  const asked = await ask()
  const fitting = (of: ExplainRequest) =>
    evaluateHosts(of).flatMap(({ host, rank }) => (rank === null ? [] : [host.id]))
  const order = fitting(asked)
  expect(order.length).toBeGreaterThan(2)
  fc.assert(
    fc.property(fc.subarray(Array.from({ length: HOSTS }, (_, n) => n + 1)), (ids) => {
      const quiet = new Set(ids.map(hostId))
      const wanted = [...order.filter((id) => !quiet.has(id)), ...order.filter((id) => quiet.has(id))]
      expect(fitting(silent(asked, ids))).toEqual(wanted)
    }),
  )
})

test('the largest shape names an answering host if one fits it, else a silent one', async () => {
  const asked = await ask()
  const all = Array.from({ length: HOSTS }, (_, n) => n + 1)
  const best = await largestSize(asked, true)
  await fc.assert(
    fc.asyncProperty(fc.subarray(all), async (ids) => {
      const { host } = await largestSize(silent(asked, ids), true)
      const answering = asked.hosts.filter(({ id }) => !ids.map(hostId).includes(id))
      const one = await largestSize({ ...silent(asked, []), hosts: answering }, true)
      expect(host).toEqual(one.shape === null ? best.host : one.host)
    }),
    { numRuns: 20 },
  )
})

test('the drawer never puts a silent host first, and says why it is last', async () => {
  const input = { for: 'build', flavor: 'small', image: 'debian' } as const
  const [first] = (await api.as('operator').migrate.explain(input)).hosts
  const askedAt = new Date()
  await api.database.prisma.hostSurvey.create({ data: { hostId: first!.host.id, askedAt, answered: false } })
  const { hosts } = await api.as('operator').migrate.explain(input)
  expect(hosts[0]!.host.id).not.toBe(first!.host.id)
  const taking = hosts.filter(({ rank }) => rank !== null)
  expect(taking.at(-1)).toMatchObject({ host: first!.host, rank: taking.length, silence: { since: null } })
  expect(taking.filter(({ silence }) => silence !== null)).toHaveLength(1)
})
