import { afterEach, describe, expect, test, vi } from 'vitest'
import { CloudClient } from '../cloud/client'
import type { ReplayedCloud } from '../cloud/testing/replayed-cloud'
import type { CloudActionKind } from '../engine/cloud/action/action'
import { putSetting } from '../store/catalog/policy'
import { watchedClouds, writesIn } from './watched-clouds'

// Nova actions from the console: offered by the last poll, sent as shown, and followed until a later poll shows whether
// they were done.

const { api, admin, add, cloudOf, reached, watchedUntil } = watchedClouds()
const actions = () => api.as('operator').cloudAction

interface ActionFields {
  readonly verb: CloudActionKind
  readonly subject: string
  readonly host?: string | null
  readonly flavor?: string
  readonly state?: 'active' | 'error'
}

/** As an operator does: reads the explanation and requests exactly that; retried if the cloud was polled in between. */
async function request(id: string, asked: ActionFields) {
  for (let tries = 0; ; tries++) {
    const shown = await watchedUntil(async () => {
      const explained = await api.as('support').cloudAction.explain({ id, ...asked })
      return explained?.why === null && explained
    })
    const outcome = await actions()
      .request({ id, ...asked, print: shown.print, reason: 'for the test' })
      .catch((error: Error) => {
        if (tries > 20) throw error
        return null
      })
    // The cloud may change between the explanation and the read before sending; then nothing was sent.
    const isSettled = outcome !== null && (outcome.did !== 'not-sent' || outcome.proposal !== null)
    if (outcome !== null && (isSettled || tries > 20)) return outcome
  }
}

async function ended(id: string, subject: string) {
  return watchedUntil(async () => {
    const [latest] = (await actions().latest({ id })).filter((each) => each.subject === subject)
    return latest?.endedAt != null && latest
  })
}

/** Requests the action and waits until it is done. */
async function done(id: string, asked: ActionFields) {
  expect(await request(id, asked)).toMatchObject({ did: 'sent' })
  const action = await ended(id, asked.subject)
  expect(`${action.verb} ${action.state}: ${action.says}`).toContain(`${asked.verb} done`)
  return action
}

let named = 0
async function actedOn(hosts = 3, takesMs = 60_000) {
  const cloud = await cloudOf(hosts, { takesMs })
  const id = await add(`acted-${++named}`, cloud)
  await admin().change({ id, mayAct: true, reason: 'a test' })
  await reached(id)
  return { cloud, id, web: cloud.state.servers[0]?.id ?? '' }
}

const holders = ({ state }: ReplayedCloud, consumer: string) =>
  state.providers.filter(({ allocations }) => allocations.has(consumer)).map(({ name }) => name)
const stateOf = ({ state }: ReplayedCloud, id: string) => {
  const row = state.servers.find((each) => each.id === id)
  return `${row?.['OS-EXT-STS:vm_state']} on ${row?.['OS-EXT-SRV-ATTR:host']}`
}

describe('an action of Nova', () => {
  test('live-migrates to the chosen host and ends when Nova and Placement confirm it', async () => {
    const { cloud, id, web } = await actedOn()
    const action = await done(id, { verb: 'live-migrate', subject: web, host: 'cmp3' })
    expect(action.says).toContain('migration 1 is completed')
    expect(stateOf(cloud, web)).toBe('active on cmp3')
    expect(holders(cloud, web)).toEqual(['cmp3'])
    expect(writesIn(cloud)).toEqual([`POST /compute/v2.1/servers/${web}/action`])
  })

  test('cold-migrates and is confirmed, resizes and is reverted', async () => {
    const { cloud, id, web } = await actedOn()
    await done(id, { verb: 'migrate', subject: web, host: 'cmp2' })
    expect(stateOf(cloud, web)).toBe('resized on cmp2')
    await done(id, { verb: 'confirm', subject: web })
    expect([stateOf(cloud, web), holders(cloud, web)]).toEqual(['active on cmp2', ['cmp2']])
    await done(id, { verb: 'resize', subject: web, flavor: 'f2' })
    await done(id, { verb: 'revert', subject: web })
    expect([stateOf(cloud, web), holders(cloud, web)]).toEqual(['active on cmp2', ['cmp2']])
    expect(cloud.state.migrations.map(({ status }) => status)).toEqual(['confirmed', 'reverted'])
  })

  test('is not sent while its cloud is not watched, because nobody would follow it', async () => {
    const { cloud, id, web } = await actedOn()
    const asked = { id, verb: 'stop', subject: web } as const
    const shown = await watchedUntil(() => api.as('support').cloudAction.explain(asked))
    await admin().change({ id, enabled: false, reason: 'maintenance' })
    const unwatched = /it is not watched/
    await expect(actions().request({ ...asked, print: shown.print, reason: 'x' })).rejects.toThrow(unwatched)
    const drain = { id, host: 'cmp1', cold: false, most: 1, reason: 'x' }
    await expect(api.as('operator').cloudDrain.start(drain)).rejects.toThrow(unwatched)
    expect(writesIn(cloud)).toEqual([])
  })

  test('aborts a running migration, and forces one to complete', async () => {
    const { cloud, id, web } = await actedOn(3, 100_000_000)
    const begin = async () => {
      await request(id, { verb: 'live-migrate', subject: web, host: 'cmp2' })
      return watchedUntil(async () => {
        const { rows } = await admin().migrations({ id })
        return rows.find(({ status }) => status === 'running')
      })
    }
    await done(id, { verb: 'abort', subject: (await begin()).id })
    expect([stateOf(cloud, web), holders(cloud, web)]).toEqual(['active on cmp1', ['cmp1']])
    expect((await ended(id, web)).state).toBe('failed')
    await done(id, { verb: 'force-complete', subject: (await begin()).id })
    expect(stateOf(cloud, web)).toBe('active on cmp2')
  })

  test('stops, starts, reboots, rebuilds, shelves, unshelves, and resets a state', async () => {
    const { cloud, id, web } = await actedOn()
    const steps: readonly (readonly [Omit<ActionFields, 'subject'>, string])[] = [
      [{ verb: 'stop' }, 'stopped on cmp1'],
      [{ verb: 'start' }, 'active on cmp1'],
      [{ verb: 'reboot' }, 'active on cmp1'],
      [{ verb: 'rebuild' }, 'active on cmp1'],
      [{ verb: 'shelve' }, 'shelved_offloaded on null'],
      [{ verb: 'unshelve', host: 'cmp2' }, 'active on cmp2'],
      [{ verb: 'reset-state', state: 'error' }, 'error on cmp2'],
      [{ verb: 'reset-state', state: 'active' }, 'active on cmp2'],
    ]
    // The watcher rereads the catalog after a while only; an action always does, before its call.
    const reads = vi.spyOn(CloudClient.prototype, 'readCatalog')
    for (const [asked, state] of steps) {
      await done(id, { subject: web, ...asked })
      expect(`${asked.verb}: ${stateOf(cloud, web)}`).toBe(`${asked.verb}: ${state}`)
    }
    // One client for all calls: a new token costs a cloud more than the reads before a call.
    const clients = reads.mock.contexts.filter((_, at) => reads.mock.calls[at]?.[0] === 0)
    reads.mockRestore()
    expect([clients.length >= steps.length, new Set(clients).size]).toEqual([true, 1])
  })

  test('disables and enables a service with the reason', async () => {
    const { cloud, id } = await actedOn()
    await done(id, { verb: 'disable', subject: 'cmp2' })
    expect(cloud.state.services.get('cmp2')).toMatchObject({ status: 'disabled', disabled_reason: 'for the test' })
    await done(id, { verb: 'enable', subject: 'cmp2' })
    expect(cloud.state.services.get('cmp2')).toMatchObject({ status: 'enabled', disabled_reason: null })
  })

  test('evacuates from a host only after an operator attested that it is powered off', async () => {
    const { cloud, id, web } = await actedOn()
    const service = cloud.state.services.get('cmp1')
    if (service) service.isAlive = false
    const offer = async () => {
      const view = await actions().offers({ id, kind: 'instance', subject: web })
      return view?.offers.find(({ verb }) => verb === 'evacuate')
    }
    await watchedUntil(async () => (await offer())?.why?.includes('Nobody attested'))
    await actions().fence({ id, host: 'cmp1', fenced: true, reason: 'power is off' })
    // Nova sets the same date for a change to a service as for its reports.
    await done(id, { verb: 'force-down', subject: 'cmp1' })
    await watchedUntil(async () => (await offer())?.why === null)
    await done(id, { verb: 'evacuate', subject: web })
    expect(stateOf(cloud, web)).toBe('active on cmp2')
    expect((await actions().offers({ id, kind: 'host', subject: 'cmp1' }))?.fence).toMatchObject({
      reason: 'power is off',
    })
    // A service that reports runs on a host that is not powered off.
    if (service) Object.assign(service, { isAlive: true, forced_down: false })
    await watchedUntil(async () => (await actions().offers({ id, kind: 'host', subject: 'cmp1' }))?.fence === null)
  })

  test('that finds no host fails with the message of Nova', async () => {
    const { cloud, id, web } = await actedOn(1)
    expect(await request(id, { verb: 'migrate', subject: web })).toMatchObject({ did: 'sent' })
    const action = await ended(id, web)
    expect(action).toMatchObject({
      state: 'failed',
      says: expect.stringContaining('Nova says: No valid host was found'),
    })
    expect([stateOf(cloud, web), holders(cloud, web)]).toEqual(['active on cmp1', ['cmp1']])
  })
})

describe('an action that is not sent', () => {
  test('stays unsent for a read-only cloud, a role without permission, or a changed preview', async () => {
    const { cloud, id, web } = await actedOn()
    const asked = { id, verb: 'stop', subject: web, reason: 'for the test' } as const
    const shown = await watchedUntil(() => api.as('support').cloudAction.explain({ id, verb: 'stop', subject: web }))
    const { print } = shown
    await expect(api.as('support').cloudAction.request({ ...asked, print })).rejects.toThrow('Your role is support')
    await expect(actions().request({ ...asked, print: 'another' })).rejects.toThrow(/changed|shown/)
    await admin().change({ id, mayAct: false, reason: 'enough' })
    await expect(actions().request({ ...asked, print })).rejects.toThrow(/read-only/)
    expect(writesIn(cloud)).toEqual([])
  })

  test('has a reason for each unavailable action', async () => {
    const { id, web } = await actedOn()
    const view = await watchedUntil(() => actions().offers({ id, kind: 'instance', subject: web }))
    const why = Object.fromEntries(view.offers.map((offer) => [offer.verb, offer.why]))
    expect(why).toMatchObject({ 'live-migrate': null, stop: null, 'reset-state': null })
    expect(why.confirm).toBe('Needs an instance that is resized; it is active.')
    expect(why.evacuate).toBe('nova-compute on cmp1 is not down.')
  })

  test('records author and result in the audit log', async () => {
    const { id, web } = await actedOn()
    await done(id, { verb: 'stop', subject: web })
    const { rows } = await api.database.pool.query<{ action: string; reason: string }>(
      "select action, reason from audit_entry where data ->> 'cloud' = $1 and data ? 'verb' order by id",
      [id],
    )
    expect(rows.map(({ action, reason }) => `${action} ${reason}`)).toEqual([
      'cloud.call for the test',
      'cloud.called for the test',
    ])
  })
})

describe('with two-person approval for actions of Nova', () => {
  const approvals = () => api.as('admin').proposal
  const require = (actions: readonly string[]) => putSetting(api.database, 'second-person', actions)
  afterEach(() => require([]))
  const stateOf = async (proposal: string) => (await approvals().list({})).find(({ id }) => id === proposal)
  /** Asked again while the cloud changes under it. */
  async function approve(id: string) {
    return watchedUntil(async () => {
      const { state } = await approvals().decide({ id, approve: true, reason: 'yes' })
      return state === 'approved'
    })
  }

  test('an operator only requests an action, and another user has it sent in the name of both', async () => {
    const { cloud, id, web } = await actedOn()
    await require(['cloud'])
    const asked = { verb: 'live-migrate', subject: web, host: 'cmp2' } as const
    const outcome = await request(id, asked)
    expect(outcome).toMatchObject({ did: 'not-sent', says: 'A second person has to approve it first.' })
    expect(writesIn(cloud)).toEqual([])
    const proposal = outcome.proposal ?? ''
    const does = 'Migrates web-0 live from cmp1 to cmp2.'
    expect(await stateOf(proposal)).toMatchObject({ kind: 'cloud', cloud: { id, does }, state: 'open' })
    const own = api.as('operator').proposal.decide({ id: proposal, approve: true, reason: 'me' })
    await expect(own).rejects.toThrow('You requested it')
    expect(writesIn(cloud)).toEqual([])

    await approve(proposal)
    const action = await ended(id, web)
    expect(`${action.verb} ${action.state}`).toBe('live-migrate done')
    expect([action.who, action.reason]).toEqual(['the_operator', 'for the test (approved by the_admin: yes)'])
    expect(writesIn(cloud)).toHaveLength(1)
  })

  test('what its cloud does not allow is refused at once, and not left to the second person', async () => {
    const { cloud, id, web } = await actedOn()
    await require(['cloud'])
    const asked = { id, verb: 'stop', subject: web } as const
    const { print } = await watchedUntil(() => api.as('support').cloudAction.explain(asked))
    const requested = () => actions().request({ ...asked, print, reason: 'x' })
    await admin().change({ id, mayAct: false, reason: 'enough' })
    await expect(requested()).rejects.toThrow(/read-only/)
    await admin().change({ id, mayAct: true, enabled: false, reason: 'maintenance' })
    await expect(requested()).rejects.toThrow(/not watched/)
    expect((await approvals().list({ state: 'open' })).filter((each) => each.cloud?.id === id)).toEqual([])
    expect(writesIn(cloud)).toEqual([])
  })

  const NO_LONGER: Readonly<Record<string, (cloud: ReplayedCloud) => unknown>> = {
    'it is stopped': ({ state: { servers } }) =>
      Object.assign(servers[0] ?? {}, { 'OS-EXT-STS:vm_state': 'stopped', status: 'SHUTOFF' }),
    'cmp2: disabled': ({ state: { services } }) => Object.assign(services.get('cmp2') ?? {}, { status: 'disabled' }),
  }
  test.each(Object.entries(NO_LONGER))(
    'an approval of what is no longer possible sends nothing, and stays open: %s',
    async (why, change) => {
      const { cloud, id, web } = await actedOn()
      await require(['cloud'])
      const { proposal } = await request(id, { verb: 'live-migrate', subject: web, host: 'cmp2' })
      change(cloud)
      await watchedUntil(async () => {
        const explained = await api
          .as('support')
          .cloudAction.explain({ id, verb: 'live-migrate', subject: web, host: 'cmp2' })
        return explained?.why !== null
      })
      const decided = await approvals().decide({ id: proposal ?? '', approve: true, reason: 'yes' })
      expect(decided).toMatchObject({ state: 'open', refusal: { have: expect.stringContaining(why) } })
      expect(writesIn(cloud)).toEqual([])
    },
  )

  test('a drain starts once it is approved, and its own calls need no further approval', async () => {
    const { cloud, id } = await actedOn()
    await require(['cloud'])
    const drains = api.as('operator').cloudDrain
    const { drain, proposal } = await drains.start({ id, host: 'cmp1', cold: false, most: 2, reason: 'new memory' })
    expect(drain).toBeNull()
    expect(await drains.ofHost({ id, host: 'cmp1' })).toBeNull()
    expect(await stateOf(proposal ?? '')).toMatchObject({ cloud: { id, does: 'Drains cmp1 through Nova.' } })
    expect(writesIn(cloud)).toEqual([])
    await approvals().decide({ id: proposal ?? '', approve: true, reason: 'yes' })
    const ended = await watchedUntil(async () => {
      const now = await drains.ofHost({ id, host: 'cmp1' })
      return now?.endedAt != null && now
    })
    expect([ended.state, ended.who, ended.reason]).toEqual([
      'done',
      'the_operator',
      'new memory (approved by the_admin: yes)',
    ])
  })

  test('attesting a host as powered off needs what marking a host as fenced needs, and withdrawing it does not', async () => {
    const { id } = await actedOn()
    await require(['fenced'])
    const fences = async () => (await actions().offers({ id, kind: 'host', subject: 'cmp1' }))?.fence ?? null
    const { proposal } = await actions().fence({ id, host: 'cmp1', fenced: true, reason: 'it is dark' })
    expect(await fences()).toBeNull()
    const unknown = actions().fence({ id, host: 'cmp9', fenced: true, reason: 'it is dark' })
    await expect(unknown).rejects.toThrow('cmp9')
    expect(await stateOf(proposal ?? '')).toMatchObject({
      cloud: { id, does: 'Marks cmp1 as fenced, attested as powered off.' },
    })
    await approvals().decide({ id: proposal ?? '', approve: true, reason: 'I see it too' })
    const { rows } = await api.database.pool.query<{ who: string; reason: string }>(
      "select who, reason from audit_entry where action = 'cloud.fenced' and data ->> 'cloud' = $1",
      [id],
    )
    expect(rows).toEqual([{ who: 'the_operator', reason: 'it is dark (approved by the_admin: I see it too)' }])
  })

  test('other settings of approval do not concern them', async () => {
    const { id, web } = await actedOn()
    await require(['lost', 'fenced', 'heal', 'release'])
    expect(await request(id, { verb: 'live-migrate', subject: web, host: 'cmp2' })).toMatchObject({
      did: 'sent',
      proposal: null,
    })
  })
})
