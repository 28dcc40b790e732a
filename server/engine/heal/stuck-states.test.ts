import { describe, expect, test } from 'vitest'
import { audit, type Finding, type FindingKind, type Snapshot } from '../audit'
import type { HostSurveys, SurveyedDomain } from '../audit/snapshot'
import type { Instance } from '../change'
import { decide } from '../claim'
import { hostFrom, withHolding } from '../holdings'
import type { Holding, Host } from '../host'
import type { Migration } from '../migration/state'
import type { Line } from '../rows'
import { claimId, hostId, instanceId, migrationId, smallHost } from '../testing/hosts'
import { auditDemand, demandFor, holdingOf, instanceOf, pinned, planOn } from '../testing/instances'
import { migrationOf } from '../testing/migrations'
import { applyPart } from './apply'
import { changeOfPart, isPart, restoredPart } from './part'
import { healFor, planHeal } from './plan'

// The stuck states of a real Nova (a source that dies while preparing or copying, an audit that deletes, a lost
// confirm, an evacuation's two allocations), in Berth's terms: each ends on its own, or by one repair that hypervisors
// prove.

const SHAPE = pinned(2)
const NOW = 10_000_000
const MINUTE_MS = 60_000

const bare = (n: number, set: Parameters<typeof smallHost>[0] = {}) => smallHost({ n, vfs: 1, ...set })
const claimOn = (host: Host, n: number, set: Partial<Holding> = {}): Holding =>
  holdingOf(n, planOn(host, demandFor(SHAPE)), { consumer: instanceId(1), instance: instanceId(1), ...set })
const BY_MIGRATION = { consumer: migrationId(1), consumerKind: 'migration' } as const
const with1 = (n: number, set: Partial<Holding> = {}) => withHolding(bare(n), claimOn(bare(n), n, set))

const instance = (set: Partial<Instance> = {}): Instance =>
  instanceOf(1, SHAPE, { name: 'web-1', host: hostId(1), ...set })
const migration = (set: Partial<Migration> = {}): Migration =>
  migrationOf({ oldFlavor: SHAPE, newFlavor: SHAPE, step: 'transfer', stepSince: NOW - 5 * MINUTE_MS, ...set })
const ended = (set: Partial<Migration> = {}) =>
  migration({ step: 'ended', home: 'target', outcome: 'completed', ...set })

const here = (host: Host, set: Partial<SurveyedDomain> = {}): SurveyedDomain => {
  const body = host.holdings.find((holding) => holding.instance === instanceId(1))?.body ?? null
  return { instance: instanceId(1), observedState: 'running', migration: null, body, ...set }
}
/** Two surveys of a host that agree; null when it did not answer. */
function surveys(n: number, domains: readonly SurveyedDomain[] | null): HostSurveys {
  const survey = { answered: domains !== null, domains: domains ?? [], devices: null }
  return {
    host: hostId(n),
    latest: { ...survey, at: NOW - MINUTE_MS },
    earlier: { ...survey, at: NOW - 2 * MINUTE_MS },
  }
}

let next = 100
const options = { demandFor: auditDemand, decide, newClaimId: () => claimId(next++) }
const snapshotOf = (set: Partial<Snapshot>): Snapshot => ({
  hosts: [],
  instances: [instance()],
  migrations: [],
  now: NOW,
  strayAllocations: [],
  looseConsumers: [],
  leftovers: [],
  ...set,
})
const kindsOf = (snapshot: Snapshot): FindingKind[] => audit(snapshot, auditDemand).map(({ kind }) => kind)
const findingOf = (snapshot: Snapshot, kind: FindingKind): Finding =>
  audit(snapshot, auditDemand).find((each) => each.kind === kind)!

function healed(snapshot: Snapshot, kind: FindingKind): { after: Snapshot; lines: readonly Line[] } {
  const healing = healFor(findingOf(snapshot, kind), snapshot, options)
  if (!healing.ok) throw new Error(healing.why)
  expect(healing.part.locked).toBeNull()
  const applied = applyPart(snapshot, healing.part)
  if (!applied.ok) throw new Error(JSON.stringify(applied.conflict))
  return { after: applied.snapshot, lines: healing.part.lines }
}
function whyNot(snapshot: Snapshot, kind: FindingKind): string {
  const healing = healFor(findingOf(snapshot, kind), snapshot, options)
  return healing.ok ? 'healed' : healing.why
}

describe('1. the source dies while the target is prepared', () => {
  const waiting = { for: 'host', host: hostId(1), why: 'nobody answers' } as const
  const stuck = snapshotOf({
    hosts: [with1(1, BY_MIGRATION), with1(2)],
    migrations: [migration({ step: 'prepare', waiting, stepSince: NOW - 40 * MINUTE_MS })],
    hostSurveys: [surveys(1, null), surveys(2, [])],
  })
  test('the finding names its reason and has no repair: the operator must mark the host', () => {
    expect(kindsOf(stuck)).toEqual(['migration-stuck'])
    expect(findingOf(stuck, 'migration-stuck').found).toBe('waits for h1: nobody answers, 40 min without progress')
    expect(whyNot(stuck, 'migration-stuck')).toContain('mark the host that it waits for')
  })
})

describe('2. the source dies while copying: the instance is back there, but the claims stay swapped', () => {
  const source = with1(1, BY_MIGRATION)
  const swapped = snapshotOf({
    hosts: [source, with1(2)],
    migrations: [ended({ home: 'source', direction: 'target', outcome: 'failed' })],
    hostSurveys: [surveys(1, [here(source)]), surveys(2, [])],
  })
  test('one repair gives the instance its claim at the source and releases the target', () => {
    expect(kindsOf(swapped).sort()).toEqual(['ended-migration-has-claim', 'instance-claim-wrong'])
    const { after } = healed(swapped, 'instance-claim-wrong')
    expect(kindsOf(after)).toEqual([])
    expect(after.hosts[0]!.holdings).toMatchObject([
      { consumer: instanceId(1), body: { units: source.holdings[0]!.body.units } },
    ])
    expect(after.hosts[1]!.holdings).toEqual([])
  })
  test('the same repair covers the other finding', () => {
    const planned = planHeal(audit(swapped, auditDemand), swapped, options)
    expect(planned.map(({ healing }) => healing.ok)).toEqual([true, false])
    expect(planned[1]!.healing).toMatchObject({ why: expect.stringContaining('Repaired together') })
  })
})

describe('3. audit --delete deletes the live destination allocation of a running migration', () => {
  const running = snapshotOf({
    hosts: [with1(1, BY_MIGRATION), with1(2)],
    migrations: [migration()],
    hostSurveys: [surveys(1, [here(with1(1))]), surveys(2, [])],
  })
  test('the destination claim is no finding, although the instance is still at the source', () => {
    expect(kindsOf(running)).toEqual([])
  })
  test('a forged finding about it gets no repair', () => {
    const target = running.hosts[1]!.holdings[0]!
    const forged: Finding = {
      kind: 'orphan-claim',
      host: hostId(2),
      instance: instanceId(1),
      migration: null,
      consumers: [target.consumer],
      claims: [target.claim],
      where: {},
      expected: '',
      found: '',
    }
    for (const kind of [
      'orphan-claim',
      'stray-allocation',
      'consumer-has-two-claims',
      'instance-claim-wrong',
    ] as const) {
      expect(healFor({ ...forged, kind }, running, options).ok).toBe(false)
    }
  })
  test('a repair for the migration restores the claim that another tool deleted', () => {
    const unclaimed = { ...running, hosts: [running.hosts[0]!, bare(2)] }
    expect(kindsOf(unclaimed)).toEqual(['instance-claim-wrong'])
    const { after, lines } = healed(unclaimed, 'instance-claim-wrong')
    expect(kindsOf(after)).toEqual([])
    expect(lines.every((line) => line.before === null && line.host === hostId(2))).toBe(true)
  })
  test('a repair under a new migration id keeps the claims of both sides at every step', () => {
    const [source, target] = [with1(1, BY_MIGRATION), with1(2)]
    const renamed = (set: Partial<Migration>) =>
      snapshotOf({
        hosts: [source, target],
        migrations: [migration({ id: migrationId(9), ...set })],
        hostSurveys: [surveys(1, [here(source)]), surveys(2, [here(target)])],
      })
    for (const step of ['prepare', 'transfer', 'switch'] as const) {
      const broken = renamed({ step })
      for (const kind of new Set(kindsOf(broken))) {
        const healing = healFor(findingOf(broken, kind), broken, options)
        if (!healing.ok) continue
        const applied = applyPart(broken, healing.part)
        if (!applied.ok) throw new Error(JSON.stringify(applied.conflict))
        const held = applied.snapshot.hosts.map(({ holdings }) => holdings.map(({ consumer }) => consumer))
        expect([step, kind, held]).toEqual([step, kind, [[migrationId(9)], [instanceId(1)]]])
      }
    }
  })
  test('the instance ends up with a claim where it runs when the migration went on without it', () => {
    const seen = here(bare(2), { body: claimOn(bare(2), 2).body })
    const bareTarget = snapshotOf({
      hosts: [bare(1), bare(2)],
      instances: [instance({ host: hostId(2) })],
      migrations: [ended()],
      hostSurveys: [surveys(1, []), surveys(2, [seen])],
    })
    const { after } = healed(bareTarget, 'instance-claim-wrong')
    expect(kindsOf(after)).toEqual([])
    expect(after.hosts[1]!.holdings).toMatchObject([{ consumer: instanceId(1) }])
  })
})

describe('4. the confirm was accepted and the source dies before its clean-up', () => {
  const waiting = { for: 'host', host: hostId(1), why: 'nobody answers' } as const
  const stuck = snapshotOf({
    hosts: [with1(1, BY_MIGRATION), with1(2)],
    instances: [instance({ host: hostId(2) })],
    migrations: [
      migration({ operation: 'resize', step: 'release', home: 'target', waiting, stepSince: NOW - 40 * MINUTE_MS }),
    ],
    hostSurveys: [surveys(1, null), surveys(2, [here(with1(2))])],
  })
  test('the wait has a reason, blocks no other migration, and needs no repair', () => {
    expect(kindsOf(stuck)).toEqual(['migration-stuck'])
    expect(whyNot(stuck, 'migration-stuck')).toContain('No record blocks it')
  })
})

describe('5. an evacuated instance still has its allocation on the dead source', () => {
  const root = bare(1).providers[0]!
  const stray = {
    consumer: instanceId(1),
    type: 'INSTANCE',
    provider: root.id,
    host: hostId(1),
    resourceClass: 'MEMORY_MB',
    amount: 1024,
  }
  const target = with1(2)
  // As the store reads it: all allocations of the consumer are in the body of its claim.
  const both = {
    ...target.holdings[0]!.body,
    amounts: [...target.holdings[0]!.body.amounts, { provider: root.id, resourceClass: 'MEMORY_MB', amount: 1024 }],
  }
  const dead = { ...bare(1), status: 'fenced' as const, leftovers: [instanceId(1)] }
  const evacuated = snapshotOf({
    hosts: [
      hostFrom(dead, { ...dead, others: [stray] }, []),
      withHolding(bare(2), { ...target.holdings[0]!, body: both }),
    ],
    instances: [instance({ host: hostId(2) })],
    migrations: [ended({ operation: 'evacuate' })],
    strayAllocations: [stray],
    leftovers: [{ host: hostId(1), instance: instanceId(1), migration: migrationId(1), side: 'source' }],
    hostSurveys: [surveys(1, null), surveys(2, [here(target)])],
  })
  test('the repair deletes the stray row and keeps the claim at the target', () => {
    expect(kindsOf(evacuated)).toContain('stray-allocation')
    const { after, lines } = healed(evacuated, 'stray-allocation')
    expect(lines).toMatchObject([
      { row: 'allocation', key: { provider: root.id }, before: { amount: 1024 }, after: null },
    ])
    expect(kindsOf(after)).toEqual([])
  })
})

test('6. a failed claim that released everything is no finding', () => {
  const failed = snapshotOf({
    hosts: [with1(1), bare(2)],
    instances: [instance({ vmState: 'error' })],
    migrations: [ended({ home: 'source', outcome: 'failed', target: null })],
    hostSurveys: [surveys(1, [here(with1(1))]), surveys(2, [])],
  })
  expect(kindsOf(failed)).toEqual([])
})

describe('S2: the instance runs on the target, the records say source', () => {
  const target = with1(2)
  const inRelease = snapshotOf({
    hosts: [with1(1, BY_MIGRATION), target],
    migrations: [migration({ step: 'release', home: 'target', handedOver: true })],
    hostSurveys: [surveys(1, [here(with1(1), { observedState: 'left' })]), surveys(2, [here(target)])],
  })
  test('in release the repair changes only the record of the migration', () => {
    expect(kindsOf(inRelease)).toEqual(['instance-host-wrong'])
    const { after, lines } = healed(inRelease, 'instance-host-wrong')
    expect(lines).toMatchObject([{ row: 'instance', before: { host: hostId(1) }, after: { host: hostId(2) } }])
    expect(kindsOf(after)).toEqual([])
  })

  const claimAtSource = snapshotOf({
    hosts: [with1(1), bare(2)],
    migrations: [ended()],
    hostSurveys: [surveys(1, [here(with1(1), { observedState: 'left' })]), surveys(2, [here(target)])],
  })
  test('after the end one part repairs record, claim and leftover', () => {
    expect(kindsOf(claimAtSource)).toEqual(['instance-runs-elsewhere'])
    const { after, lines } = healed(claimAtSource, 'instance-runs-elsewhere')
    expect(kindsOf(after)).toEqual([])
    expect(lines).toContainEqual(expect.objectContaining({ row: 'remain', after: { side: 'source' }, host: hostId(1) }))
    expect(after.hosts.map(({ holdings }) => holdings.length)).toEqual([0, 1])
    expect(after.hosts[0]!.leftovers).toEqual([instanceId(1)])
  })

  test.each<[string, Partial<Snapshot>, string]>([
    [
      'the source did not answer',
      { hostSurveys: [surveys(1, null), surveys(2, [here(target)])] },
      'h1 has not answered',
    ],
    [
      'only one survey saw it',
      { hostSurveys: [surveys(1, []), { ...surveys(2, [here(target)]), earlier: null }] },
      'one survey',
    ],
    [
      'the target has no capacity',
      {
        hosts: [
          with1(1),
          withHolding(bare(2), claimOn(bare(2), 2, { consumer: instanceId(2), instance: instanceId(2) })),
        ],
        instances: [instance(), instance({ id: instanceId(2), host: hostId(2) })],
      },
      'h2 has no capacity',
    ],
  ])('the repair changes nothing when %s', (_story, set, why) => {
    expect(whyNot({ ...claimAtSource, ...set }, 'instance-runs-elsewhere')).toContain(why)
  })
})

describe('a claim that an instance may need', () => {
  const orphan = (n: number) => with1(n, { ...BY_MIGRATION, consumer: migrationId(9) })
  const home = with1(1)
  const extra = (set: Partial<Snapshot>, host: Partial<Host> = {}) =>
    snapshotOf({
      hosts: [home, { ...orphan(2), ...host }],
      hostSurveys: [surveys(1, [here(home)]), surveys(2, [])],
      ...set,
    })

  test('is released row by row once no survey shows a domain there', () => {
    const { after, lines } = healed(extra({ looseConsumers: [] }), 'orphan-claim')
    expect(kindsOf(after)).toEqual([])
    expect(lines.every((line) => line.after === null)).toBe(true)
  })
  test.each<[string, Snapshot, string]>([
    ['no host was surveyed', { ...extra({}), hostSurveys: undefined as never }, 'no survey yet'],
    ['its host is silent', extra({ hostSurveys: [surveys(1, [here(home)]), surveys(2, null)] }), 'h2 has not answered'],
    ['its host is down', extra({}, { status: 'down' }), 'h2 is down'],
    ['its instance runs there', extra({ hostSurveys: [surveys(1, []), surveys(2, [here(orphan(2))])] }), 'no room'],
  ])('is kept when %s', (_story, snapshot, why) => {
    const given = snapshot.hostSurveys === undefined ? (({ hostSurveys: _, ...rest }) => rest)(snapshot) : snapshot
    if (why === 'no room') expect(healed(given, 'orphan-claim').after.hosts[1]!.holdings).toHaveLength(1)
    else expect(whyNot(given, 'orphan-claim')).toContain(why)
  })
})

describe('locks', () => {
  const wrong = (host: Host): Host => {
    const [holding] = host.holdings
    const amounts = holding!.body.amounts.map((each) => ({
      ...each,
      amount: each.amount - (each.resourceClass === 'MEMORY_MB' ? 1 : 0),
    }))
    return withHolding(bare(1), { ...holding!, body: { ...holding!.body, amounts } })
  }
  const locked = (snapshot: Snapshot) => {
    const healing = healFor(findingOf(snapshot, 'amount-wrong'), snapshot, options)
    return healing.ok ? healing.part : null
  }
  test('a consumer with an active migration is listed and locked, and not changed', () => {
    const part = locked(
      snapshotOf({ hosts: [wrong(with1(1)), bare(2)], migrations: [migration({ step: 'claim', target: null })] }),
    )
    expect(part?.locked).toContain('live-migrate in claim')
    const actor = { who: 'a', request: 'r', reason: 'because' }
    expect(changeOfPart(part!, { actor, at: NOW, plan: 'p' })).toBeNull()
  })
  test('an instance that is being built or deleted is listed and locked', () => {
    for (const vmState of ['building', 'deleting'] as const) {
      expect(locked(snapshotOf({ hosts: [wrong(with1(1))], instances: [instance({ vmState })] }))?.locked).toContain(
        'It is being',
      )
    }
  })
  test('an unlocked part becomes one change of rows, and text is no part until it is restored', () => {
    const part = locked(snapshotOf({ hosts: [wrong(with1(1))] }))!
    const actor = { who: 'a', request: 'r', reason: 'because' }
    const change = changeOfPart(part, { actor, at: NOW, plan: 'p' })
    expect(change).toMatchObject({
      event: {
        kind: 'heal.applied',
        hosts: [hostId(1)],
        instance: instanceId(1),
        data: { plan: 'p', finding: 'amount-wrong' },
      },
      writes: [{ do: 'row', line: { row: 'allocation', before: { amount: 1023 }, after: { amount: 1024 } } }],
    })
    const text = JSON.parse(JSON.stringify(part))
    expect(isPart(text)).toBe(false)
    expect(isPart(restoredPart(text)!)).toBe(true)
    const line = { row: 'inventory', key: {}, before: null, after: null, host: null, why: '' }
    expect(restoredPart({ ...text, lines: [line] })).toBeNull()
  })
})

test('a consumer with claims on two hosts keeps the one at its current host', () => {
  const twice = snapshotOf({ hosts: [with1(1), with1(2)], hostSurveys: [surveys(1, [here(with1(1))]), surveys(2, [])] })
  const { after } = healed(twice, 'consumer-has-two-claims')
  expect(after.hosts.map(({ holdings }) => holdings.length)).toEqual([1, 0])
})
