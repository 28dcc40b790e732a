import { describe, expect, test } from 'vitest'
import type { CloudActionRequest } from '../api/cloud/clouds'
import type { CloudDrainView } from '../api/cloud/drain-router'
import { boot } from '../cloud/testing/cloud-state'
import type { ReplayedCloud, ReplayOptions } from '../cloud/testing/replayed-cloud'
import { watchedClouds, writesIn } from './watched-clouds'

// A drain of a cloud's host through Nova, poll by poll, until no instance is left or nothing more can be tried.

let beforeSend: (request: CloudActionRequest) => Promise<unknown> = async () => {}
const { api, admin, add, cloudOf, reached, watchedUntil } = watchedClouds(undefined, {
  sendAction: async (request, moment) => {
    await beforeSend(request)
    return api.services.clouds.act(request, moment)
  },
})
const drains = () => api.as('operator').cloudDrain

let named = 0
async function cloudWith(more: number, takesMs = 60_000, answers: NonNullable<ReplayOptions['answers']> = {}) {
  const cloud = await cloudOf(3, { takesMs, answers })
  for (let at = 0; at < more; at++) boot(cloud.state, 'cmp1')
  const id = await add(`drained-${++named}`, cloud)
  await admin().change({ id, mayAct: true, reason: 'a test' })
  await reached(id)
  return { cloud, id }
}

const on = ({ state }: ReplayedCloud, host: string) =>
  state.servers.filter((each) => each['OS-EXT-SRV-ATTR:host'] === host).length
const until = (id: string, holds: (drain: CloudDrainView) => boolean) =>
  watchedUntil(async () => {
    const drain = await drains().ofHost({ id, host: 'cmp1' })
    return drain && holds(drain) && drain
  })
const ended = (id: string) => until(id, ({ endedAt }) => endedAt !== null)
/** Waits for some more polls. */
function waitForPolls({ log }: ReplayedCloud) {
  const count = () => log.filter((line) => line.includes('/os-services')).length
  const before = count()
  return watchedUntil(async () => count() > before + 20)
}
async function entriesOf(cloud: string) {
  const { rows } = await api.database.pool.query<Record<'action' | 'verb' | 'did' | 'says', string | null>>(
    `select action, data ->> 'verb' as verb, data ->> 'did' as did, data ->> 'says' as says from audit_entry
      where data ->> 'cloud' = $1 order by id`,
    [cloud],
  )
  return rows
}
const start = (id: string, cold = false) =>
  drains().start({ id, host: 'cmp1', cold, most: 2, reason: 'new memory tonight' })

describe('a drain', () => {
  test('shows its plan without sending anything, then disables the service and empties the host', async () => {
    const { cloud, id } = await cloudWith(3)
    const plan = await drains().plan({ id, host: 'cmp1', cold: false, most: 2 })
    expect(plan?.migrations.map(({ batch }) => batch)).toEqual([0, 0, 1, 1])
    expect(writesIn(cloud)).toEqual([])
    await start(id)
    const drain = await ended(id)
    expect(`${drain.state}: ${drain.says}`).toBe('done: No instance is left on cmp1.')
    expect(drain.actions.map(({ verb, state, who, reason }) => `${verb} ${state} ${who} ${reason}`)).toEqual([
      ...Array<string>(4).fill('live-migrate done the_operator new memory tonight'),
      'disable done the_operator new memory tonight',
    ])
    expect([on(cloud, 'cmp1'), on(cloud, 'cmp2'), on(cloud, 'cmp3')]).toEqual([0, 3, 3])
    expect(cloud.state.services.get('cmp1')).toMatchObject({
      status: 'disabled',
      disabled_reason: 'new memory tonight',
    })
    const held = cloud.state.providers.map(({ allocations }) => allocations.size)
    expect(held).toEqual([0, 3, 3])
  })

  test('leaves stopped instances, and cold-migrates them only if the operator allowed it', async () => {
    const { cloud, id } = await cloudWith(0)
    const [web] = cloud.state.servers
    Object.assign(web ?? {}, { 'OS-EXT-STS:vm_state': 'stopped', status: 'SHUTOFF' })
    await watchedUntil(async () => {
      const plan = await drains().plan({ id, host: 'cmp1', cold: false, most: 2 })
      return plan?.stays.length === 1
    })
    await start(id)
    const left = await ended(id)
    expect(left.state).toBe('left')
    expect(left.says).toContain('it is stopped')
    await start(id, true)
    const drain = await until(id, ({ state }) => state === 'done')
    expect(drain.actions.map(({ verb }) => verb)).toEqual(['confirm', 'migrate'])
    expect(cloud.state.providers[0]?.allocations.size).toBe(0)
  })

  test('reports once what blocks it, and continues when nothing does', async () => {
    const answers: Record<string, { readonly status: number; readonly body: unknown }> = {}
    const { cloud, id } = await cloudWith(0, 60_000, answers)
    const [web] = cloud.state.servers
    const path = `/compute/v2.1/servers/${web?.id}`
    answers[path] = {
      status: 200,
      // Changes all the time, so that no call finds it as it was planned.
      get body() {
        return { server: { ...web, updated: `${new Date(cloud.state.clockMs).toISOString().slice(0, 19)}Z` } }
      },
    }
    await start(id)
    const says = 'Not sent at present: web-0: the instance was written since.'
    await until(id, (drain) => drain.says?.endsWith(says) === true)
    await waitForPolls(cloud)
    delete answers[path]
    expect((await ended(id)).state).toBe('done')
    const rows = await entriesOf(id)
    expect(rows.filter(({ action }) => action === 'cloud.drain-held').map((row) => row.says)).toEqual([says, null])
    expect(rows.filter(({ did }) => did === 'not-sent')).toEqual([])
  })

  test('waits while the cloud limits its calls, and then empties the host', async () => {
    const answers: Record<string, { readonly status: number }> = {}
    const { cloud, id } = await cloudWith(1, 60_000, answers)
    const paths = cloud.state.servers.map((server) => `POST /compute/v2.1/servers/${server.id}/action`)
    for (const path of paths) answers[path] = { status: 429 }
    await start(id)
    const limited = await until(id, ({ says, endedAt }) => endedAt !== null || says?.includes('429') === true)
    expect(`${limited.state}: ${limited.says}`).toMatch(/^going: .*Not sent at present: web-\d+: .*answers 429/)
    await waitForPolls(cloud)
    // One call asks whether the limit still applies; the others wait for it.
    const refused = writesIn(cloud).filter((line) => paths.includes(line))
    expect(refused.length).toBeGreaterThan(2)
    expect(new Set(refused).size).toBe(1)
    for (const path of paths) delete answers[path]
    const drain = await ended(id)
    expect(drain.state).toBe('done')
    // However often it was tried: one action, with a result for each that differs from the one before.
    expect(drain.actions.map(({ verb, state }) => `${verb} ${state}`)).toEqual([
      ...['live-migrate done', 'live-migrate done', 'disable done'],
    ])
    const entries = (await entriesOf(id)).filter(({ verb }) => verb === 'live-migrate')
    expect(entries.map(({ action, did }) => `${action} ${did}`)).toEqual([
      ...[
        'cloud.call null',
        'cloud.called not-sent',
        'cloud.called accepted',
        'cloud.call null',
        'cloud.called accepted',
      ],
    ])
    const held = (await entriesOf(id)).filter(({ action }) => action === 'cloud.drain-held')
    expect(held.map(({ says }) => says)).toEqual([expect.stringMatching(/answers 429\.$/), null])
  })

  test('says that it waits while its cloud is not watched', async () => {
    const { id } = await cloudWith(0, 100_000_000)
    await start(id)
    await until(id, ({ actions }) => actions.some(({ verb }) => verb === 'live-migrate'))
    await admin().change({ id, enabled: false, reason: 'maintenance' })
    const drain = await drains().ofHost({ id, host: 'cmp1' })
    expect(drain).toMatchObject({ state: 'going', says: 'The cloud is not watched at present, so nothing is sent.' })
    await admin().change({ id, enabled: true, reason: 'maintained' })
    await drains().stop({ id, host: 'cmp1', reason: 'enough' })
  })

  test('sends nothing after a stop, and needs an operator and a cloud with actions allowed', async () => {
    const { cloud, id } = await cloudWith(3, 100_000_000)
    await expect(
      api.as('support').cloudDrain.start({ id, host: 'cmp1', cold: false, most: 1, reason: 'x' }),
    ).rejects.toThrow('Your role is support')
    await start(id)
    await expect(start(id)).rejects.toThrow(/it is being drained/)
    const isUnderWay = ({ verb, state }: CloudDrainView['actions'][number]) =>
      verb === 'live-migrate' && state === 'accepted'
    await until(id, ({ actions }) => actions.filter(isUnderWay).length === 2)
    await drains().stop({ id, host: 'cmp1', reason: 'enough' })
    const sent = writesIn(cloud).length
    await waitForPolls(cloud)
    expect(writesIn(cloud)).toHaveLength(sent)
    expect(await drains().ofHost({ id, host: 'cmp1' })).toMatchObject({ state: 'stopped', says: 'Stopped: enough' })
    await admin().change({ id, mayAct: false, reason: 'enough' })
    await expect(start(id)).rejects.toThrow(/read-only/)
    const { rows } = await api.database.pool.query<{ action: string }>(
      "select action from audit_entry where data ->> 'cloud' = $1 and action like 'cloud.drain%' order by id",
      [id],
    )
    expect(rows.map(({ action }) => action)).toEqual(['cloud.drain-started', 'cloud.drain-ended'])
  })

  test('sends nothing after a stop that comes while its calls are prepared', async () => {
    const { cloud, id } = await cloudWith(3)
    beforeSend = async ({ verb }) => {
      if (verb === 'disable') return
      beforeSend = async () => {}
      await drains().stop({ id, host: 'cmp1', reason: 'enough' })
    }
    await start(id)
    const { actions } = await ended(id)
    await waitForPolls(cloud)
    expect(writesIn(cloud)).toHaveLength(1)
    expect((await drains().ofHost({ id, host: 'cmp1' }))?.actions).toEqual(actions)
    expect(actions.map(({ verb }) => verb)).toEqual(['disable'])
  })
})
