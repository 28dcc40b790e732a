import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CloudFacts, DEFAULT_SETTINGS, factsOf } from '../facts'
import { addServer, capture, FLAVORS, hostNamed, type ModelCloud, newCloud } from '../testing/nova-cloud'
import { confirmResize, liveMigrate, resize, runAll } from '../testing/nova-operations'
import { type DrainOptions, type DrainTry, planDrain } from './plan'
import { type DrainCall, type DrainStep, drainStep } from './step'

const [SMALL, LARGE] = FLAVORS
const OPTIONS: DrainOptions = { cold: true, most: 2 }

function cloudWith(instances: number, hosts = 3): ModelCloud {
  const cloud = newCloud({ hosts, shared: false, witness: false })
  const [first] = cloud.hosts.values()
  if (first === undefined) throw new Error('no host')
  for (let at = 0; at < instances; at++) addServer(cloud, first, at % 2 === 0 ? SMALL : LARGE)
  cloud.now += 3_600_000
  return cloud
}

const names = (cloud: ModelCloud) => [...cloud.hosts.keys()]
const drained = (cloud: ModelCloud) => names(cloud)[0] ?? ''
const read = (cloud: ModelCloud): CloudFacts => factsOf(capture(cloud), DEFAULT_SETTINGS)
const recordedOn = (cloud: ModelCloud, host: string) => [...cloud.servers.values()].filter((each) => each.host === host)

interface Run {
  readonly cloud: ModelCloud
  readonly options?: DrainOptions
  /** Nova's refusal of a call; null: it accepts. */
  readonly refuses?: (host: string | null, subject: string) => string | null
  /** Whether the call, given how often it was sent before, is lost on its way. */
  readonly loses?: (call: DrainCall, before: number) => boolean
}

/** Performs the calls of the drain, step by step, until it ends. */
function run({ cloud, options = OPTIONS, refuses = () => null, loses = () => false }: Run) {
  const host = drained(cloud)
  const tries: DrainTry[] = []
  let mostAtOnce = 0
  let step: DrainStep
  do {
    step = drainStep(read(cloud), { host, options, tries })
    mostAtOnce = Math.max(mostAtOnce, step.next.filter(({ verb }) => verb !== 'confirm').length)
    for (const { verb, subject, host: to } of step.next) {
      const before = tries.filter((each) => each.verb === verb && each.subject === subject && each.host === to).length
      if (loses({ verb, subject, host: to }, before)) {
        tries.push({ verb, subject, host: to, did: 'unanswered', says: 'the call was not answered' })
        continue
      }
      const says = refuses(to, subject)
      tries.push({ verb, subject, host: to, did: says === null ? 'done' : 'failed', says })
      if (says !== null) continue
      if (verb === 'disable') hostNamed(cloud, host).enabled = false
      const server = cloud.servers.get(subject)
      if (server === undefined) continue
      const target = to === null ? null : hostNamed(cloud, to)
      if (verb === 'live-migrate' && target) runAll(liveMigrate(cloud, server, { target, failsAfter: null }))
      if (verb === 'migrate' && target) runAll(resize(cloud, server, { target, flavor: server.flavor }))
      const migration = cloud.migrations.findLast(({ instance }) => instance === subject)
      if (verb === 'confirm' && migration) runAll(confirmResize(cloud, server, migration))
    }
    cloud.now += 60_000
  } while (step.state === 'going' && tries.length < 1_000)
  return { step, tries, mostAtOnce }
}

describe('a drain', () => {
  test('disables the service first, live-migrates what it can, and ends when the host is empty', () => {
    const cloud = cloudWith(5)
    const { step, tries } = run({ cloud })
    expect(tries.map(({ verb }) => verb)).toEqual(['disable', ...Array<string>(5).fill('live-migrate')])
    expect([step.state, recordedOn(cloud, drained(cloud))]).toEqual(['done', []])
    // The emptier host is taken first.
    expect(names(cloud).map((host) => recordedOn(cloud, host).length)).toEqual([0, 3, 2])
  })

  test('repeats a call without an answer, which says nothing about the host, but not for ever', () => {
    const isTwice = (_: DrainCall, before: number) => before < 2
    const once = cloudWith(2, 2)
    const { step, tries } = run({ cloud: once, loses: isTwice })
    expect([step.state, recordedOn(once, drained(once))]).toEqual(['done', []])
    expect(tries.map(({ did }) => did).filter((did) => did === 'unanswered')).toHaveLength(6)

    const stopped = cloudWith(1, 2)
    for (const server of stopped.servers.values()) server.vmState = 'stopped'
    expect(run({ cloud: stopped, loses: isTwice }).step.state).toBe('done')

    for (const verb of ['disable', 'live-migrate'] as const) {
      const never = run({
        cloud: cloudWith(1, 2),
        loses: (call) => call.verb === verb,
        options: { cold: false, most: 2 },
      })
      expect([never.step.state, never.step.detail]).toEqual(['left', expect.stringContaining('was not answered')])
      expect(never.tries.filter(({ did }) => did === 'unanswered')).toHaveLength(3)
    }
  })

  test('cold-migrates a stopped instance if the operator allowed it, and confirms it', () => {
    const cloud = cloudWith(1)
    for (const server of cloud.servers.values()) server.vmState = 'stopped'
    const { step, tries } = run({ cloud })
    expect([step.state, tries.map(({ verb }) => verb)]).toEqual(['done', ['disable', 'migrate', 'confirm']])
    const kept = cloudWith(1)
    for (const server of kept.servers.values()) server.vmState = 'stopped'
    const without = run({ cloud: kept, options: { ...OPTIONS, cold: false } })
    expect(without.step.state).toBe('left')
    expect(without.step.detail).toContain('Needs an instance that is active or paused; it is stopped.')
    expect(recordedOn(kept, drained(kept))).toHaveLength(1)
  })

  test('tries the next host after a refusal, and shows the reason of each', () => {
    const cloud = cloudWith(1)
    const [, second, third] = names(cloud)
    const one = run({ cloud, refuses: (to) => (to === second ? 'No valid host was found.' : null) })
    expect(one.tries.map(({ host, did }) => `${host} ${did}`)).toEqual([
      ...['null done', `${second} failed`, `${third} done`],
    ])
    expect(one.step.state).toBe('done')
    const stuck = cloudWith(1)
    const none = run({
      cloud: stuck,
      options: { ...OPTIONS, cold: false },
      refuses: (to) => (to ? 'No valid host.' : null),
    })
    expect(none.step.state).toBe('left')
    expect(none.step.detail).toContain(`${second}: No valid host.; ${third}: No valid host.`)
  })

  test('waits for tasks in progress and for queued migrations', () => {
    const cloud = cloudWith(3)
    const host = drained(cloud)
    hostNamed(cloud, host).enabled = false
    const [busy] = cloud.servers.values()
    if (busy) busy.taskState = 'rebooting'
    const first = drainStep(read(cloud), { host, options: OPTIONS, tries: [] })
    expect(first.next.map(({ subject }) => subject)).not.toContain(busy?.id)
    const target = hostNamed(cloud, names(cloud)[1] ?? null)
    for (const server of cloud.servers.values())
      if (server !== busy) liveMigrate(cloud, server, { target, failsAfter: null }).next()
    for (const migration of cloud.migrations) migration.status = 'queued'
    const [open] = cloud.migrations
    const tries: DrainTry[] = [
      { verb: 'live-migrate', subject: open?.instance ?? '', host: target.name, did: 'open', says: null },
    ]
    expect(drainStep(read(cloud), { host, options: { cold: true, most: 9 }, tries })).toMatchObject({
      state: 'going',
      next: [],
    })
  })

  test.each(['services', 'servers', 'migrations'] as const)('does not end while Nova reports only some %s', (name) => {
    const cloud = cloudWith(0)
    hostNamed(cloud, drained(cloud)).enabled = false
    const whole = capture(cloud)
    const request = { host: drained(cloud), options: OPTIONS, tries: [] }
    const stepBy = (changed: object) =>
      drainStep(factsOf({ ...whole, [name]: { ...whole[name], ...changed } }, DEFAULT_SETTINGS), request).state
    // A cell that is down: neither its hosts nor its instances are listed.
    expect(stepBy({ complete: false, ...(name === 'services' && { value: [] }) })).toBe('going')
    expect(stepBy({})).toBe('done')
  })

  test.each<[title: string, change: (cloud: ModelCloud) => void, state: DrainStep['state']]>([
    [
      'waits for another task',
      (cloud) => {
        for (const server of cloud.servers.values()) server.taskState = 'deleting'
      },
      'going',
    ],
    [
      'is not done if its host went down',
      (cloud) => {
        hostNamed(cloud, drained(cloud)).up = false
      },
      'left',
    ],
  ])('with a cold migration that cannot be confirmed yet %s', (_, change, state) => {
    const cloud = cloudWith(1)
    const host = drained(cloud)
    hostNamed(cloud, host).enabled = false
    const [server] = cloud.servers.values()
    const target = hostNamed(cloud, names(cloud)[1] ?? null)
    if (server) runAll(resize(cloud, server, { target, flavor: server.flavor }))
    const tries: DrainTry[] = [
      { verb: 'migrate', subject: server?.id ?? '', host: target.name, did: 'done', says: null },
    ]
    const step = () => drainStep(read(cloud), { host, options: OPTIONS, tries })
    expect(step().next.map(({ verb }) => verb)).toEqual(['confirm'])
    change(cloud)
    expect(step()).toMatchObject({ state, next: [] })
  })

  test('ends when another user enables the service', () => {
    const cloud = cloudWith(1)
    const tries: DrainTry[] = [{ verb: 'disable', subject: drained(cloud), host: null, did: 'done', says: null }]
    expect(drainStep(read(cloud), { host: drained(cloud), options: OPTIONS, tries }).state).toBe('left')
  })
})

test('a drain always ends within its limit, and is done exactly when the host is empty', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 8 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 5 }),
      fc.boolean(),
      fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
      (instances, hosts, most, cold, refusals) => {
        const cloud = cloudWith(instances, hosts)
        let asked = 0
        const { step, mostAtOnce } = run({
          ...{ cloud, options: { cold, most } },
          refuses: (to) => (to !== null && refusals[asked++ % refusals.length] ? 'No valid host.' : null),
        })
        expect(step.state).not.toBe('going')
        expect(mostAtOnce).toBeLessThanOrEqual(most)
        expect(recordedOn(cloud, drained(cloud)).length === 0).toBe(step.state === 'done')
      },
    ),
    { numRuns: 100 },
  )
})

test('a plan overcommits no host', () => {
  const cloud = cloudWith(6)
  const plan = planDrain(read(cloud), { host: drained(cloud), options: OPTIONS, tries: [] })
  expect(plan.migrations.map(({ batch }) => batch)).toEqual([0, 0, 1, 1, 2, 2])
  const huge = { ...SMALL, vcpus: 1_000_000 }
  for (const server of cloud.servers.values()) server.flavor = huge
  const none = planDrain(read(cloud), { host: drained(cloud), options: OPTIONS, tries: [] })
  // One for each of the other two hosts.
  expect([none.migrations.length, none.stays.length]).toEqual([2, 4])
  expect(none.stays[0]?.why).toMatch(/short by \d+ VCPU/)
})
