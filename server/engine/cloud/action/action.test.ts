import { describe, expect, test } from 'vitest'
import { type CloudFacts, DEFAULT_SETTINGS, factsOf, rowsOf } from '../facts'
import { failedGuards } from '../guard'
import { servicesSetBetween, stillDead } from '../history'
import type { CloudFlavor, CloudProvider } from '../snapshot'
import {
  addHost,
  addServer,
  capture,
  FLAVORS,
  hostNamed,
  type ModelCloud,
  type ModelServer,
  newCloud,
  SHARED,
} from '../testing/nova-cloud'
import {
  confirmResize,
  evacuate,
  type LiveEnd,
  liveMigrate,
  resize,
  revertResize,
  runAll,
} from '../testing/nova-operations'
import { type ActionInput, CLOUD_ACTION_KINDS, type CloudActionKind, subjectOf } from './action'
import { destinationsOf } from './destinations'
import { type FollowedAction, progressOfAction } from './followed'
import { callOf, inputRefusal, offersFor, refusalOf } from './offer'
import { CLOUD_ACTIONS } from './table'

const [SMALL, LARGE] = FLAVORS
const INPUT: ActionInput = { host: null, storage: 'auto', flavor: 'large', state: 'active', reason: 'a test' }

interface Model {
  readonly cloud: ModelCloud
  readonly server: ModelServer
}

function model(): Model {
  const cloud = newCloud({ hosts: 3, shared: false, witness: false })
  const [host] = cloud.hosts.values()
  const server = addServer(cloud, host ?? addHost(cloud), SMALL)
  cloud.now += 3_600_000
  return { cloud, server }
}

const target = ({ cloud }: Model) => hostNamed(cloud, [...cloud.hosts.keys()][1] ?? null)
const read = ({ cloud }: Model): CloudFacts => factsOf(capture(cloud), DEFAULT_SETTINGS)
const newest = ({ cloud }: Model) => {
  const migration = cloud.migrations.at(-1)
  if (migration === undefined) throw new Error('no migration')
  return migration
}

const live = (of: Model, end: LiveEnd = { failsAfter: null }) =>
  liveMigrate(of.cloud, of.server, { target: target(of), ...end })
const cold = (of: Model, flavor: typeof SMALL | typeof LARGE) =>
  resize(of.cloud, of.server, { target: target(of), flavor })

const sent = ({ cloud, server }: Model, verb: CloudActionKind, set: Partial<FollowedAction> = {}): FollowedAction => ({
  ...{ verb, subject: server.id, input: INPUT, sentAt: cloud.now, lastMigration: 0, lastWritten: null, ...set },
})

interface Scenario {
  readonly verb: CloudActionKind
  /** Earlier actions. */
  readonly before?: (of: Model) => void
  readonly work: (of: Model) => Generator
  readonly ends: 'done' | 'failed'
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'a live migration': { verb: 'live-migrate', work: (of) => live(of), ends: 'done' },
  'a live migration that fails': { verb: 'live-migrate', work: (of) => live(of, { failsAfter: 1 }), ends: 'failed' },
  'a cold migration': { verb: 'migrate', work: (of) => cold(of, SMALL), ends: 'done' },
  'a resize': { verb: 'resize', work: (of) => cold(of, LARGE), ends: 'done' },
  'a confirm': {
    ...{ verb: 'confirm', before: (of) => runAll(cold(of, SMALL)), ends: 'done' },
    work: (of) => confirmResize(of.cloud, of.server, newest(of)),
  },
  'a revert': {
    ...{ verb: 'revert', before: (of) => runAll(cold(of, LARGE)), ends: 'done' },
    work: (of) => revertResize(of.cloud, of.server, newest(of)),
  },
  'an evacuation': { verb: 'evacuate', work: (of) => evacuate(of.cloud, of.server, target(of)), ends: 'done' },
}

describe('an accepted action', () => {
  test.each(Object.entries(SCENARIOS))('is followed through every write of %s, and ends once', (_, scenario) => {
    const of = model()
    scenario.before?.(of)
    const { cloud, server } = of
    const lastMigration = cloud.migrations.at(-1)?.id ?? 0
    const action = sent(of, scenario.verb, { lastMigration, lastWritten: server.updatedAt })
    expect(progressOfAction(read(of), action).state).toBe('waiting')
    const states: string[] = []
    const work = scenario.work(of)
    for (let over = false; !over; ) {
      over = work.next().done === true
      cloud.now += 5_000
      states.push(progressOfAction(read(of), action).state)
    }
    // Nova may release what a migration held only after it has written that the migration ended.
    const ended = states.filter((did) => did !== 'waiting')
    expect(states.indexOf(scenario.ends)).toBeGreaterThan(states.length - 5)
    expect([...new Set(ended)]).toEqual([scenario.ends])
  })

  test.each(['live-migrate', 'shelve', 'reboot'] as const)(
    'is not failed while a lagging list still shows the instance as before: %s',
    (verb) => {
      const of = model()
      of.cloud.now += 60_000
      const action = sent(of, verb)
      of.cloud.now += 60_000
      expect(progressOfAction(read(of), action).state).toBe('waiting')
      of.cloud.now += 120_000
      expect(progressOfAction(read(of), action)).toMatchObject({
        state: 'failed',
        detail: expect.stringContaining('Nova did nothing'),
      })
    },
  )

  test('is not done because an instance has a time in the future', () => {
    const of = model()
    const ahead = of.cloud.now + 3_600_000
    Object.assign(of.server, { updatedAt: ahead })
    const action = sent(of, 'rebuild', { lastWritten: ahead })
    of.cloud.now += 10_000
    expect(progressOfAction(read(of), action).state).toBe('waiting')
    Object.assign(of.server, { updatedAt: of.cloud.now })
    expect(progressOfAction(read(of), action).state).toBe('done')
  })

  test.each(['confirm', 'revert'] as const)('is failed if its %s never reached the service', (verb) => {
    const of = model()
    runAll(cold(of, SMALL))
    const { cloud, server } = of
    const action = sent(of, verb, { lastMigration: newest(of).id, lastWritten: server.updatedAt })
    cloud.now += 60_000
    expect(progressOfAction(read(of), action).state).toBe('waiting')
    cloud.now += 120_000
    expect(progressOfAction(read(of), action)).toMatchObject({ state: 'failed' })
  })

  test.each([
    ['disable', 'services', { value: [] }],
    ['stop', 'servers', { value: [] }],
    ['stop', 'servers', {}],
    ['live-migrate', 'migrations', {}],
    ['confirm', 'migrations', { value: [] }],
  ] as const)('waits while a cell is down: %s without all %s', (verb, name, without) => {
    const of = model()
    if (verb === 'confirm') runAll(cold(of, SMALL))
    const subject = verb === 'disable' ? (of.server.host ?? '') : of.server.id
    const action = sent(of, verb, { subject, lastMigration: of.cloud.migrations.at(-1)?.id ?? 0 })
    of.cloud.now += 600_000
    const whole = capture(of.cloud)
    const stateBy = (complete: boolean) =>
      progressOfAction(
        factsOf({ ...whole, [name]: { ...whole[name], ...without, complete } }, DEFAULT_SETTINGS),
        action,
      ).state
    expect([stateBy(false), stateBy(true)]).toEqual(['waiting', 'failed'])
  })

  test('is failed if the instance rests without a migration', () => {
    const of = model()
    const action = sent(of, 'live-migrate')
    Object.assign(of.server, { taskState: 'migrating', updatedAt: of.cloud.now })
    of.cloud.now += 1_000
    expect(progressOfAction(read(of), action).state).toBe('waiting')
    Object.assign(of.server, { taskState: null, updatedAt: of.cloud.now })
    expect(progressOfAction(read(of), action).state).toBe('waiting')
    of.cloud.now += 5_000
    expect(progressOfAction(read(of), action)).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('no migration'),
    })
  })
})

describe('an unavailable action', () => {
  const why = (of: Model, verb: CloudActionKind) => {
    const subject = subjectOf(read(of), CLOUD_ACTIONS[verb].about, of.server.id)
    return subject && refusalOf(verb, subject)
  }

  test('waits for a task in progress, and reset-state waits an hour', () => {
    const of = model()
    live(of).next()
    expect(why(of, 'stop')).toMatch(/^In progress: its task is migrating/)
    expect(why(of, 'reset-state')).toContain('an hour')
    of.cloud.now += 3_700_000
    expect(why(of, 'reset-state')).toBeNull()
  })

  test('names the state it needs, or the host that is down', () => {
    const of = model()
    expect(why(of, 'revert')).toBe('Needs an instance that is resized; it is active.')
    expect(why(of, 'evacuate')).toContain('is not down')
    hostNamed(of.cloud, of.server.host).up = false
    expect(why(of, 'live-migrate')).toContain('is down')
    expect(why(of, 'evacuate')).toContain('Nobody attested')
    hostNamed(of.cloud, of.server.host).dead = true
    expect(why(of, 'evacuate')).toBeNull()
  })

  test('is listed with the others of its subject', () => {
    const of = model()
    const subject = subjectOf(read(of), 'instance', of.server.id)
    const verbs = subject ? offersFor('instance', subject).map(({ verb }) => verb) : []
    expect(verbs).toEqual(CLOUD_ACTION_KINDS.filter((verb) => CLOUD_ACTIONS[verb].about === 'instance'))
  })
})

describe('a call to Nova', () => {
  const subjectIn = (of: Model) => {
    const subject = subjectOf(read(of), 'instance', of.server.id)
    if (subject === null) throw new Error('no subject')
    return subject
  }

  // A second person reads the sentence alone.
  test('says in one sentence everything that was chosen for it', () => {
    const of = model()
    const host = target(of).name
    const does = (storage: ActionInput['storage']) =>
      callOf('live-migrate', subjectIn(of), { ...INPUT, host, storage }).does.replace(/^.* to /, '')
    expect((['auto', 'block', 'shared'] as const).map(does)).toEqual([
      `${host}.`,
      `${host}, and copies its disks.`,
      `${host}, with its disks on shared storage.`,
    ])
  })

  test('names the flavor, which people do not know by its id', () => {
    const of = model()
    const flavor = `id-of-${LARGE.name}`
    expect(callOf('resize', subjectIn(of), { ...INPUT, flavor }).does).toContain(`to the flavor ${LARGE.name}:`)
    expect(callOf('resize', subjectIn(of), { ...INPUT, flavor }).body).toEqual({ resize: { flavorRef: flavor } })
  })

  test('is not sent once the instance was written since it was read', () => {
    const of = model()
    const { guards } = callOf('stop', subjectIn(of), INPUT)
    const { now } = of.cloud
    of.cloud.now += 2_000
    expect(failedGuards(capture(of.cloud), guards, now)).toEqual([])
    Object.assign(of.server, { updatedAt: of.cloud.now })
    expect(failedGuards(capture(of.cloud), guards, now)).toEqual(['the instance was written since'])
  })

  test('needs an existing host other than the current one, and a flavor', () => {
    const subject = subjectIn(model())
    const refusal = (verb: CloudActionKind, input: Partial<ActionInput>) =>
      inputRefusal(verb, subject, { ...INPUT, ...input })
    expect(refusal('live-migrate', { host: 'nowhere' })).toContain('no host nowhere')
    expect(refusal('live-migrate', { host: subject.server?.host ?? '' })).toContain('already')
    expect(refusal('resize', { flavor: null })).toContain('Choose a flavor')
    expect(refusal('resize', { flavor: 'nothing' })).toContain('no flavor nothing')
    expect(refusal('resize', { flavor: `id-of-${LARGE.name}` })).toBeNull()
    expect(refusal('live-migrate', {})).toBeNull()
  })
})

describe('an attestation that a host is powered off', () => {
  test('lasts until the host reports again, even if its service is forced down', () => {
    const of = model()
    const [host = ''] = of.cloud.hosts.keys()
    hostNamed(of.cloud, host).forcedDown = true
    const dead = () => [...stillDead(capture(of.cloud), new Map([[host, since]])).keys()]
    const since = of.cloud.now
    expect(dead()).toEqual([host])
    of.cloud.now += 10_000
    expect(dead()).toEqual([])
  })
})

test('a write to a service is told apart from its reports', () => {
  const of = model()
  const [host = ''] = of.cloud.hosts.keys()
  const before = capture(of.cloud)
  of.cloud.now += 10_000
  expect([...servicesSetBetween(before, capture(of.cloud)).keys()]).toEqual([])
  hostNamed(of.cloud, host).forcedDown = true
  const after = capture(of.cloud)
  const [service] = after.services.isRead ? after.services.value.filter((each) => each.host === host) : []
  expect([...servicesSetBetween(before, after)]).toEqual([[host, service?.updatedAt]])
})

describe('destination hosts', () => {
  test('show their shortage, and those that fit come first', () => {
    const of = model()
    hostNamed(of.cloud, [...of.cloud.hosts.keys()][1] ?? null).up = false
    const huge = { ...SMALL, vcpus: 2_000_000 }
    const [second, third] = destinationsOf(read(of), of.server, { flavor: SMALL })
    expect([second?.why, third?.why]).toEqual([null, 'nova-compute is down'])
    expect(destinationsOf(read(of), of.server, { flavor: huge }).map(({ why }) => why)).toContain(
      'short by 1000000 VCPU',
    )
  })

  test('include what storage shares with a host, and never refuse for storage that is not read', () => {
    const cloud = newCloud({ hosts: 2, shared: true, witness: false })
    const [source] = cloud.hosts.values()
    const server = addServer(cloud, source ?? addHost(cloud), SMALL)
    const whyOf = (change: (pool: CloudProvider) => CloudProvider, flavor: CloudFlavor = SMALL) => {
      const snapshot = capture(cloud)
      const changed = rowsOf(snapshot.providers).map((row) => (row.id === SHARED ? change(row) : row))
      const providers = { isRead: true, at: cloud.now, complete: true, value: changed } as const
      const facts = factsOf({ ...snapshot, providers }, DEFAULT_SETTINGS)
      return destinationsOf(facts, server, { flavor })[0]?.why
    }
    const unread = { isRead: false, why: 'HTTP 500' } as const
    const elsewhere = { isRead: true, at: cloud.now, complete: true, value: ['another'] } as const
    const huge = { ...SMALL, rootGib: 2_000_000 }
    expect(whyOf((pool) => pool)).toBeNull()
    expect(whyOf((pool) => pool, huge)).toMatch(/^short by \d+ DISK_GB$/)
    expect(whyOf((pool) => ({ ...pool, aggregates: elsewhere }))).toMatch(/^short by \d+ DISK_GB$/)
    expect(whyOf((pool) => ({ ...pool, aggregates: unread }))).toBeNull()
    expect(whyOf((pool) => ({ ...pool, traits: unread }))).toBeNull()
    expect(whyOf((pool) => ({ ...pool, allocations: unread }), huge)).toBeNull()
    expect(whyOf((pool) => ({ ...pool, inventories: unread }), huge)).toBeNull()
  })
})
