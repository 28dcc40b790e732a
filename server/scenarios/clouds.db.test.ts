import { randomBytes } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import type { CloudUpload } from '@/forms/cloud'
import { alarmFacts } from '../api/alarm/facts'
import { outcomesOrRefuse } from '../api/cloud/answers'
import type { CloudProbeReport } from '../api/cloud/clouds'
import { boot, PINS, serverTime } from '../cloud/testing/cloud-state'
import { type ReplayedAnswer, yamlOf } from '../cloud/testing/replayed-cloud'
import { putSetting } from '../store/catalog/policy'
import { uploadOf, watchedClouds, writesIn } from './watched-clouds'

// Clouds from the upload of their files to what the console shows, with a replayed cloud on loopback.

const { api, admin, add, cloudOf, domains, reached, watchedUntil, watcher } = watchedClouds()

/** The cloud is polled all the time, so a repair may differ from the one shown a moment ago. */
async function latestPrint(id: string, finding: string): Promise<string> {
  const detail = await admin().finding({ id, finding })
  return detail?.repair.kind === 'calls' ? detail.repair.print : ''
}

/** A cloud under that name whose first provider has lost its allocations, with the finding that says so. */
async function damaged(name: string) {
  const cloud = await cloudOf(2)
  const id = await add(name, cloud)
  await reached(id)
  const [provider] = cloud.state.providers
  provider?.allocations.clear()
  Object.assign(provider ?? {}, { generation: 99 })
  const detail = await watchedUntil(async () => {
    const [row] = (await admin().findings({ id })).rows
    const found = row && (await admin().finding({ id, finding: row.id }))
    return found?.repair.kind === 'calls' && found
  })
  return { cloud, id, provider, detail }
}

async function applied<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 20; tries++) {
    const answer = await work().catch(() => null)
    if (answer !== null) return answer
  }
  throw new Error('The calls were always others than those that were shown.')
}

describe('a cloud from its files', () => {
  test('is chosen, probed in steps, added once, and watched with only GETs and the sign-in', async () => {
    const cloud = await cloudOf(2)
    const upload = uploadOf(cloud)
    expect(await admin().choices(upload)).toEqual([{ name: 'replayed', regions: ['RegionOne'], problems: [] }])
    const reports: CloudProbeReport[] = []
    for await (const report of await admin().probe(upload)) reports.push(report)
    expect(reports[0]?.steps.slice(0, 2).map(({ name, state }) => `${name} ${state}`)).toEqual([
      'Keystone running',
      'Sign-in waiting',
    ])
    expect(reports.at(-1)).toMatchObject({ isReached: true })
    expect(reports.at(-1)?.steps.every(({ state }) => state === 'done')).toBe(true)

    const id = await add('prod', cloud)
    await expect(add('prod', cloud)).rejects.toMatchObject({ message: expect.stringContaining('Add the cloud prod') })
    const view = await reached(id)
    expect(view).toMatchObject({ name: 'prod', mayAct: false, enabled: true, status: { error: null } })
    expect(view.status?.counts).toMatchObject({ hosts: 2, instances: 2, critical: 0 })
    expect(view.reach).toMatchObject({ account: 'user reader', region: 'RegionOne' })
    const hosts = await api.as('viewer').cloud.hosts({ id })
    expect(hosts.rows.map(({ name, state, instances }) => `${name} ${state} ${instances}`)).toEqual([
      'cmp1 up 1',
      'cmp2 up 1',
    ])
    const instances = await api.as('viewer').cloud.instances({ id, where: [{ key: 'host', any: ['cmp1'] }] })
    expect(instances).toMatchObject({ total: 1, rows: [{ name: 'web-0', vmState: 'active', power: 'running' }] })
    expect(writesIn(cloud)).toEqual([])
  })

  test('shows its findings with evidence, repair and the script of the repair', async () => {
    const { cloud, id, detail } = await damaged('damaged')
    const [row] = (await admin().findings({ id })).rows
    expect(row).toMatchObject({ kind: 'allocation-missing', severity: 'critical', objectName: 'web-0', locked: null })
    expect(detail.evidence.map(({ source }) => source)).toEqual(expect.arrayContaining(['nova', 'placement']))
    const plan = await api.as('support').cloud.plan({ id })
    expect(plan?.calls).toMatchObject([{ call: 'placement POST /allocations (1.28)' }])
    const script = await api.as('support').cloud.script({ id, findings: [detail.id] })
    expect(script).toMatchObject({ name: 'repair-damaged.sh', text: expect.stringContaining('openstack ') })
    await expect(api.as('viewer').cloud.plan({ id })).rejects.toThrow('Your role is viewer')
    const { attention } = await api.as('viewer').overview.get()
    const news = { kind: 'cloud-finding', severity: 'critical', cloud: { id, name: 'damaged' }, count: 1 }
    expect(attention).toContainEqual(expect.objectContaining(news))
    // A clock that seems to step on a busy machine makes the next poll compare nothing, and count again one poll later.
    await watchedUntil(async () =>
      (await alarmFacts(api.services)).clouds.some((each) => each.id === id && each.critical === 1),
    )
    expect(writesIn(cloud)).toEqual([])
  })

  test('has libvirt as a third witness for connected hosts, and gets no repair based on a guess', async () => {
    const cloud = await cloudOf(2)
    const [instance] = cloud.state.servers
    const domain = {
      instance: instance?.id ?? '',
      name: 'instance-1',
      state: 'running',
      pins: new Map([[0, [3]]]),
    } as const
    domains.set('cmp1', [domain]).set('cmp2', [])
    const id = await add('witnessed', cloud)
    await reached(id)
    expect((await admin().findings({ id })).rows).toEqual([])
    domains.set('cmp1', []).set('cmp2', [domain])
    const detail = await watchedUntil(async () => {
      const [row] = (await admin().findings({ id })).rows
      return row && admin().finding({ id, finding: row.id })
    })
    expect(detail).toMatchObject({ kind: 'guest-runs-elsewhere', severity: 'critical', repair: { kind: 'none' } })
    expect(detail.evidence.filter(({ source }) => source === 'libvirt')).toMatchObject([
      { says: 'domain instance-1 on cmp2: running' },
    ])
    domains.set('cmp1', [domain])
    const twice = await watchedUntil(async () => {
      const { rows } = await admin().findings({ id })
      return rows.find(({ kind }) => kind === 'guest-runs-twice')
    })
    expect(twice).toMatchObject({ severity: 'critical', hosts: ['cmp1', 'cmp2'] })
    expect((await admin().plan({ id }))?.calls).toEqual([])
    domains.clear()
    await watchedUntil(async () => (await admin().findings({ id })).total === 0)
    expect(writesIn(cloud)).toEqual([])
  })

  test('shows two instances on one CPU from libvirt, which Nova records apart', async () => {
    const cloud = await cloudOf(1)
    const { servers } = cloud.state
    boot(cloud.state, 'cmp1')
    for (const [at, row] of servers.entries()) {
      row.flavor = { ...(row.flavor as object), extra_specs: { 'hw:numa_nodes': '1' } }
      row[PINS] = { 0: at + 2 }
    }
    const domain = { name: 'instance', state: 'running' } as const
    const run = (...cpus: readonly number[]) =>
      domains.set(
        'cmp1',
        servers.map(({ id: instance }, at) => ({ ...domain, instance, pins: new Map([[0, [cpus[at] ?? 0]]]) })),
      )
    run(2, 3)
    const id = await add('pinned', cloud)
    await reached(id)
    const kinds = async () => (await admin().findings({ id })).rows.map(({ kind }) => kind).sort()
    expect(await kinds()).toEqual([])
    // In libvirt the first instance runs on CPU 3, which is the second one's in Nova; in Nova the first one has CPU 5.
    Object.assign(servers[0] ?? {}, { [PINS]: { 0: 5 }, updated: serverTime(cloud.state) })
    run(3, 3)
    await watchedUntil(async () => (await kinds()).join() === 'cpu-pinned-twice,guest-pins-differ')
    run(5, 3)
    await watchedUntil(async () => (await kinds()).length === 0)
    expect(writesIn(cloud)).toEqual([])
    domains.clear()
  })

  test('is repaired only with actions allowed, by the calls shown, and each is audited', async () => {
    const { cloud, id, provider, detail } = await damaged('mended')
    const print = detail.repair.kind === 'calls' ? detail.repair.print : ''
    const apply = (shown: string) =>
      api.as('operator').cloud.repair({ id, finding: detail.id, print: shown, reason: 'lost at night' })
    const writes = () => writesIn(cloud)
    await expect(apply(print)).rejects.toThrow(/read-only|Apply the repair/)
    await expect(apply('other')).rejects.toThrow()
    expect(writes()).toEqual([])
    await admin().change({ id, mayAct: true, reason: 'repairs' })
    const answer = await applied(() => latestPrint(id, detail.id).then(apply))
    const outcome = { did: 'sent', says: expect.stringContaining('answered 204') }
    expect(answer).toMatchObject({ outcomes: [outcome], proposal: null })
    expect(writes()).toEqual(['POST /placement/allocations'])
    expect(provider?.allocations.size).toBe(1)
    await watchedUntil(async () => (await admin().findings({ id })).total === 0)
    const { rows } = await api.database.pool.query(
      "select action, reason from audit_entry where data ->> 'cloud' = $1 and action like 'cloud.call%' order by id",
      [id],
    )
    expect(rows).toEqual([
      { action: 'cloud.call', reason: 'lost at night' },
      { action: 'cloud.called', reason: 'lost at night' },
    ])
  })

  test('is repaired only after a second person approved it, if repairs need that', async () => {
    const { cloud, id, detail } = await damaged('approved')
    await putSetting(api.database, 'second-person', ['heal'])
    try {
      const reason = 'rows are lost'
      const repair = async () =>
        api.as('operator').cloud.repair({ id, finding: detail.id, print: await latestPrint(id, detail.id), reason })
      await expect(repair()).rejects.toThrow(/read-only|Apply the repair/)
      expect(await api.as('admin').proposal.list({ state: 'open' })).toEqual([])
      await admin().change({ id, mayAct: true, reason: 'repair it' })
      const { outcomes, proposal } = await applied(repair)
      expect(outcomes).toMatchObject([{ did: 'not-sent', says: 'A second person has to approve it first.' }])
      expect(writesIn(cloud)).toEqual([])
      const open = (await api.as('admin').proposal.list({ state: 'open' })).find((each) => each.cloud?.id === id)
      expect(open).toMatchObject({ id: proposal, cloud: { does: outcomes[0]?.does } })
      const decide = () => api.as('admin').proposal.decide({ id: proposal ?? '', approve: true, reason: 'yes' })
      await watchedUntil(async () => (await decide()).state === 'approved')
      expect(writesIn(cloud)).toHaveLength(1)
    } finally {
      await putSetting(api.database, 'second-person', [])
    }
  })

  test('is repaired by an action of Nova only where such an action needs no second person', async () => {
    const cloud = await cloudOf(2)
    const id = await add('acted-by-repair', cloud)
    await admin().change({ id, mayAct: true, reason: 'repair it' })
    await reached(id)
    const [server] = cloud.state.servers
    Object.assign(server ?? {}, { 'OS-EXT-STS:power_state': 4, updated: serverTime(cloud.state) })
    const found = await watchedUntil(async () => {
      const row = (await admin().findings({ id })).rows.find(({ kind }) => kind === 'instance-shut-down')
      const finding = row && (await admin().finding({ id, finding: row.id }))
      return finding?.repair.kind === 'calls' && finding
    })
    await putSetting(api.database, 'second-person', ['cloud'])
    try {
      const { proposal } = await applied(async () =>
        api.as('operator').cloud.repair({ id, finding: found.id, print: await latestPrint(id, found.id), reason: 'x' }),
      )
      expect(proposal).toEqual(expect.any(String))
      expect(writesIn(cloud)).toEqual([])
    } finally {
      await putSetting(api.database, 'second-person', [])
    }
  })

  test('is repaired in part by an approval that says which call was not done', async () => {
    const { id, detail } = await damaged('in-part')
    await putSetting(api.database, 'second-person', ['heal'])
    await admin().change({ id, mayAct: true, reason: 'repair it' })
    const sent = { does: 'Sets one.', did: 'sent', says: 'answered 204' } as const
    const refused = { does: 'Sets the other.', did: 'refused', says: 'Placement answers 409' } as const
    try {
      const { proposal } = await applied(async () =>
        api
          .as('operator')
          .cloud.repair({ id, finding: detail.id, print: await latestPrint(id, detail.id), reason: 'rows are lost' }),
      )
      vi.spyOn(api.services.clouds, 'apply').mockResolvedValue({
        ...{ did: 'applied', outcomes: [sent, refused], limitedMs: null },
      })
      const decided = await watchedUntil(async () => {
        const answer = await api.as('admin').proposal.decide({ id: proposal ?? '', approve: true, reason: 'yes' })
        return answer.state === 'approved' && answer
      })
      expect(decided.refusal).toMatchObject({ have: 'Sets the other. Placement answers 409' })
    } finally {
      vi.restoreAllMocks()
      await putSetting(api.database, 'second-person', [])
    }
  })

  test('that is unreachable says so, keeps its data, and does not affect other clouds', async () => {
    const [lost, other] = [await cloudOf(1), await cloudOf(3)]
    const [id, otherId] = [await add('lost', lost), await add('other', other)]
    await reached(id)
    await reached(otherId)
    await lost.close()
    const view = await watchedUntil(async () => {
      const now = await admin().byId({ id })
      return now.status?.error ? now : null
    })
    expect(view.status).toMatchObject({ counts: { hosts: 1 }, fix: expect.any(String) })
    expect((await admin().hosts({ id })).total).toBe(1)
    const before = (await admin().byId({ id: otherId })).status?.reachedAt ?? 0
    const after = await watchedUntil(async () => {
      const { status } = await admin().byId({ id: otherId })
      return (status?.reachedAt ?? 0) > before && status
    })
    expect(after.error).toBeNull()
  })

  test('that defers the sign-in is not asked again before the time that it names', async () => {
    const answers: Record<string, ReplayedAnswer> = {}
    const refusedAt: number[] = []
    const onRequest = (request: string) => void (request in answers && refusedAt.push(performance.now()))
    const cloud = await cloudOf(1, { answers, onRequest })
    await reached(await add('deferred', cloud))
    answers['POST /identity/v3/auth/tokens'] = { status: 429, retryAfterS: 1 }
    const [first = 0, second = 0] = await watchedUntil(async () => refusedAt.length >= 2 && refusedAt)
    expect(second - first).toBeGreaterThan(990)
  })

  test('is not polled while disabled, and is deleted when removed', async () => {
    const cloud = await cloudOf(1)
    const id = await add('paused', cloud)
    await reached(id)
    await admin().change({ id, enabled: false, reason: 'maintenance' })
    await watcher().round(new AbortController().signal)
    await watcher().stop()
    const asked = cloud.log.length
    await watcher().round(new AbortController().signal)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(cloud.log).toHaveLength(asked)
    await admin().remove({ id, reason: 'sold' })
    await expect(admin().byId({ id })).rejects.toThrow()
    expect((await admin().list()).map(({ name }) => name)).not.toContain('paused')
  })

  test('with mistakes is refused with file and key, but without any value', async () => {
    const cloud = await cloudOf(1)
    const { clouds: text } = yamlOf(cloud)
    const refused = async (over: Partial<CloudUpload>) =>
      admin()
        .add({ name: 'refused', upload: uploadOf(cloud, over), reason: 'a try' })
        .then(
          () => 'added',
          (error: Error & { cause?: unknown }) => JSON.stringify({ message: error.message, cause: error.cause }),
        )
    expect(await refused({ clouds: `${text}    cacert: /etc/ssl/ca.pem\n` })).toContain('cacert')
    expect(await refused({ ca: 'not a certificate' })).toContain('no certificate in PEM')
    expect(await refused({ cloud: 'elsewhere' })).toContain('is not defined')
    const wrong = await refused({ secure: 'clouds: {replayed: {auth: {password: S3cr3t-Value}}}' })
    expect(wrong).toContain('Sign-in')
    expect(wrong).not.toContain('S3cr3t-Value')
  })

  test.each([
    ['another key', randomBytes(32).toString('base64')],
    ['BERTH_CLOUD_KEY is no key', 'too short'],
  ])('with secrets that cannot be opened sends nothing and says so: %s', async (error, otherKey) => {
    const cloud = await cloudOf(1)
    const id = await add(error.replaceAll(' ', '-'), cloud)
    await reached(id)
    await watcher().stop()
    const key = process.env.BERTH_CLOUD_KEY
    process.env.BERTH_CLOUD_KEY = otherKey
    const asked = cloud.log.length
    const before = await admin().byId({ id })
    const view = await watchedUntil(async () => {
      const now = await admin().byId({ id })
      return now.status?.error?.includes(error) && now
    })
    // Without them the alarms about its findings would end.
    expect(before.status?.counts).toMatchObject({ hosts: 1, instances: 1 })
    expect(view.status).toMatchObject({ counts: before.status?.counts, reachedAt: before.status?.reachedAt })
    expect(view.status?.fix).toContain('BERTH_CLOUD_KEY')
    expect(cloud.log).toHaveLength(asked)
    process.env.BERTH_CLOUD_KEY = key
  })

  test('with a key that cannot be used is neither added nor acted on, and the refusal says what to do', async () => {
    const cloud = await cloudOf(1)
    const id = await add('without-key', cloud)
    await admin().change({ id, mayAct: true, reason: 'a test' })
    const key = process.env.BERTH_CLOUD_KEY
    process.env.BERTH_CLOUD_KEY = 'too short'
    const actor = { who: 'an_admin', request: null, reason: null }
    const apply = api.services.clouds.apply({ id, snapshot: {} as never, calls: [] }, { actor, at: Date.now() })
    const about = { what: 'Apply the repair', where: 'without-key', notChanged: 'Nothing was sent.' }
    const [added, acted] = await Promise.allSettled([
      add('never', cloud),
      apply.then((result) => outcomesOrRefuse(result, about)),
    ])
    process.env.BERTH_CLOUD_KEY = key
    const what = expect.stringContaining('BERTH_CLOUD_KEY is no key: it must have 32 bytes in base64')
    const next = expect.stringContaining('on this server')
    const view = { where: 'never', notChanged: 'Nothing was changed.', next }
    expect(added).toMatchObject({ reason: { message: what, cause: { view } } })
    expect(acted).toMatchObject({ reason: { message: what, about: { ...about, next } } })
    expect((await admin().list()).map(({ name }) => name)).not.toContain('never')
  })
})
