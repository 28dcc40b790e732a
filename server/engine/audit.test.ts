import { describe, expect, test } from 'vitest'
import { audit, confidenceOf, FINDING_KINDS, type FindingKind, newInterruptibleAuditor, type Snapshot } from './audit'
import { witnessOf } from './audit/evidence'
import type { HostSurveys, SurveyedDomain, SurveyResult } from './audit/snapshot'
import type { Instance } from './change'
import { shareUsage, withHolding, withoutHolding } from './holdings'
import type { Holding, Host } from './host'
import type { Migration } from './migration/state'
import { withHugePages, withTotals } from './testing/changed-hosts'
import { foreignStray, foreignSwap } from './testing/foreign'
import { claimId, groupId, hostId, instanceId, inventory, migrationId, providerId, smallHost } from './testing/hosts'
import { auditDemand, demandFor, holdingOf, instanceOf, pinned, planOn, withInstance } from './testing/instances'
import { migrationOf } from './testing/migrations'
import { powerCases } from './testing/power-cases'

const OLD = pinned(2)
const NEW = pinned(4, {}, { name: 'new' })

const instance = (n: number, set: Partial<Instance> = {}): Instance => instanceOf(n, OLD, { host: hostId(1), ...set })

const migration = (set: Partial<Migration> = {}): Migration =>
  migrationOf({
    ...{ operation: 'resize', newFlavor: NEW, oldFlavor: OLD },
    ...{ step: 'verify', home: 'target', fence: 4 },
    ...set,
  })

const planned = (host: Host, n: number, of = OLD) => holdingOf(n, planOn(host, demandFor(of)))
const by = (holder: Partial<Holding>, holding: Holding): Holding => ({ ...holding, ...holder })
const byMigration = { consumer: migrationId(1), consumerKind: 'migration', instance: instanceId(1) } as const
const byInstance = { consumer: instanceId(1), instance: instanceId(1) } as const

const bare = (n: number) => smallHost({ n, vfs: 1, hugePages: 256 })
const holdsOn = (n: number, ...holdings: Holding[]) => holdings.reduce(withHolding, bare(n))

/** Instance 1 is at rest on host 1. */
const resting: Snapshot = {
  hosts: [holdsOn(1, planned(bare(1), 1)), bare(2)],
  instances: [instance(1)],
  migrations: [],
}

/** Instance 1 waits on host 2 for its resize to be confirmed. */
const verifying: Snapshot = {
  hosts: [holdsOn(1, by(byMigration, planned(bare(1), 1, OLD))), holdsOn(2, by(byInstance, planned(bare(2), 2, NEW)))],
  instances: [instance(1, { host: hostId(2), flavor: NEW })],
  migrations: [migration()],
}

const kinds = (snapshot: Snapshot) => [...new Set(audit(snapshot, auditDemand).map((each) => each.kind))].sort()

describe('correct records have no finding', () => {
  const back = { direction: 'source', home: 'source' } as const
  const sameHost = holdsOn(1, by(byMigration, planned(bare(1), 1, OLD)))
  const both = withHolding(sameHost, by(byInstance, planned(sameHost, 2, NEW)))
  const cases: Record<string, Snapshot> = {
    'at rest': resting,
    'in verify': verifying,
    'accepted, not yet claimed': {
      ...resting,
      migrations: [migration({ step: 'claim', home: 'source', target: null })],
    },
    'under way': {
      ...verifying,
      instances: [instance(1)],
      migrations: [migration({ step: 'transfer', home: 'source' })],
    },
    'turned back': {
      hosts: [
        holdsOn(1, by(byInstance, planned(bare(1), 1, OLD))),
        holdsOn(2, by(byMigration, planned(bare(2), 2, NEW))),
      ],
      instances: [instance(1)],
      migrations: [migration({ step: 'release', ...back })],
    },
    'on one host': {
      hosts: [both],
      instances: [instance(1, { flavor: NEW })],
      migrations: [migration({ target: hostId(1) })],
    },
    'rebuilt in place': {
      ...resting,
      migrations: [
        migration({
          operation: 'rebuild',
          step: 'prepare',
          keepsClaim: true,
          target: hostId(1),
          home: 'source',
          newFlavor: OLD,
        }),
      ],
    },
    unshelved: {
      hosts: [holdsOn(2, planned(bare(2), 1))],
      instances: [instance(1, { host: null, vmState: 'shelved' })],
      migrations: [
        migration({ operation: 'unshelve', source: null, step: 'transfer', home: 'source', newFlavor: OLD }),
      ],
    },
    ended: { ...resting, migrations: [migration({ step: 'ended' })] },
  }
  test.each(Object.entries(cases))('%s', (_story, snapshot) => {
    expect(audit(snapshot, auditDemand)).toEqual([])
  })
})

const [first, second] = verifying.hosts as [Host, Host]
const held = resting.hosts[0]!
const claim = held.holdings[0]!
const withBody = (body: Partial<Holding['body']>): Snapshot => ({
  ...resting,
  hosts: [holdsOn(1, { ...claim, body: { ...claim.body, ...body } }), bare(2)],
})

const AT = 10_000_000
const VF = 'pci:0000:10:00.1' as const
const WITH_VF = pinned(2, { 'pci_passthrough:alias': 'vf:1' })
const withVf = withHolding(bare(1), planned(bare(1), 1, WITH_VF))
const withLostDevice = { ...withVf, devices: withVf.devices.map((each) => ({ ...each, gone: each.unit === VF })) }
const offNode = { ...withVf, devices: withVf.devices.map((each) => ({ ...each, cell: 1 })) }
const releasing: Snapshot = {
  ...verifying,
  migrations: [
    migration({
      step: 'release',
      stepSince: AT,
      waiting: { for: 'host', host: hostId(1), why: 'nobody answers' },
    }),
  ],
}
const survey = (domains: readonly SurveyedDomain[] = [], more: Partial<SurveyResult> = {}): SurveyResult => {
  return { at: AT, answered: true, domains, devices: null, ...more }
}
const domain = (set: Partial<SurveyedDomain> = {}): SurveyedDomain => {
  return { instance: instanceId(1), observedState: 'running', migration: null, body: null, ...set }
}
/** Both surveys of a host are alike: one domain, or none. */
const surveys = (n: number, of: Partial<SurveyedDomain> | null = null): HostSurveys => {
  const seen = survey(of === null ? [] : [domain(of)])
  return { host: hostId(n), latest: seen, earlier: { ...seen, at: AT - 60_000 } }
}
const running = (...hosts: number[]) =>
  hosts.map((n) => ({ host: hostId(n), instance: instanceId(1), observedState: 'running' as const }))

describe('each fault is found by its name', () => {
  const nested = smallHost({ layout: 'nested' })
  const onRoot = planned(nested, 1)
  const root = nested.providers[0]!.id
  const unplaced = { ...claim.body, cells: [], units: [] }
  const cases: Record<FindingKind, Snapshot> = {
    'over-capacity': { ...resting, hosts: [withTotals(held, 1)] },
    'memory-overcommitted': { ...resting, hosts: [withHugePages(held)] },
    'device-off-node': { ...resting, hosts: [offNode], instances: [instance(1, { flavor: WITH_VF })] },
    'usage-mismatch': { ...resting, hosts: [{ ...held, numaNodes: bare(1).numaNodes }] },
    'unit-held-twice': {
      ...resting,
      hosts: [withHolding(held, { ...claim, claim: claimId(2), consumer: instanceId(2), instance: instanceId(2) })],
    },
    'resource-missing': withBody({ units: [...claim.body.units, { unit: 'cpu:99', kind: 'cpu', use: 'pin' }] }),
    'pins-and-units-differ': withBody({ units: claim.body.units.slice(1) }),
    'child-class-on-root': {
      ...resting,
      hosts: [
        withHolding(nested, {
          ...onRoot,
          body: { ...onRoot.body, amounts: onRoot.body.amounts.map((a) => ({ ...a, provider: root })) },
        }),
      ],
    },
    'consumer-has-two-claims': { ...resting, hosts: [held, holdsOn(2, planned(bare(2), 1))] },
    'orphan-claim': { ...resting, instances: [] },
    'ended-migration-has-claim': { ...verifying, migrations: [migration({ step: 'ended' })] },
    'migration-claim-wrong': { ...verifying, hosts: [withoutHolding(first, claimId(1)), second] },
    'instance-claim-wrong': { ...verifying, hosts: [first, withoutHolding(second, claimId(2))] },
    'instance-host-wrong': { ...verifying, instances: [instance(1)] },
    'migration-contradicted': { ...verifying, migrations: [migration({ home: 'source' })] },
    'claim-differs-from-flavor': { ...resting, instances: [instance(1, { flavor: NEW })] },
    'two-active-migrations': { ...verifying, migrations: [migration(), migration({ id: migrationId(2) })] },
    'lease-wrong': { ...verifying, leases: [{ migration: migrationId(1), owner: 'a', fence: 5 }] },
    'group-broken': {
      ...resting,
      hosts: [withHolding(held, planned(held, 2))],
      instances: [instance(1, { group: groupId(1) }), instance(2, { group: groupId(1) })],
      groups: [{ id: groupId(1), policy: 'anti-affinity', maxPerHost: 1 }],
    },
    'instance-runs-twice': { ...verifying, domains: running(1, 2) },
    'instance-runs-elsewhere': { ...resting, domains: running(2) },
    'domain-unknown': { ...resting, domains: [{ host: hostId(1), instance: instanceId(9), observedState: 'running' }] },
    'stray-allocation': {
      ...resting,
      strayAllocations: [
        {
          consumer: instanceId(7),
          type: 'INSTANCE',
          provider: providerId(1),
          host: hostId(1),
          resourceClass: 'PCPU',
          amount: 2,
        },
      ],
    },
    'foreign-allocation': { ...resting, strayAllocations: [foreignStray()] },
    'allocations-swapped': { ...resting, now: AT, swaps: [foreignSwap({ at: AT - 31 * 60_000, heldByInstance: [] })] },
    'allocation-missing': withBody({ amounts: claim.body.amounts.filter((each) => each.resourceClass !== 'PCPU') }),
    'amount-wrong': withBody({ amounts: claim.body.amounts.map((each) => ({ ...each, amount: each.amount + 1 })) }),
    'instance-nowhere': { ...resting, hostSurveys: [surveys(1)] },
    'domain-untagged': { ...resting, hostSurveys: [surveys(1, { untagged: true })] },
    'migration-stuck': { ...releasing, now: AT + 11 * 60_000 },
    'claim-on-lost-host': { ...resting, now: AT, hosts: [{ ...held, status: 'lost' }] },
    'leftover-wrong': {
      ...resting,
      leftovers: [{ host: hostId(1), instance: instanceId(1), migration: null, side: 'source' }],
    },
    'device-lost': { ...resting, hosts: [withLostDevice], instances: [instance(1, { flavor: WITH_VF })] },
    'device-state-wrong': { ...resting, hostSurveys: [{ ...surveys(1), latest: survey([domain()], { devices: [] }) }] },
    'device-unrecorded': {
      ...resting,
      hostSurveys: [surveys(1, { body: { ...claim.body, units: [{ unit: VF, kind: 'pci', use: 'device' }] } })],
      hosts: [{ ...held, devices: [] }],
    },
    'device-still-attached': {
      ...resting,
      hostSurveys: [
        {
          ...surveys(1),
          latest: survey([domain()], { devices: [{ unit: VF, driver: null, attachedTo: instanceId(9) }] }),
        },
      ],
    },
    'claim-differs-from-domain': { ...resting, hostSurveys: [surveys(1, { body: unplaced })] },
    'two-providers': { ...resting, looseRoots: [{ provider: providerId(9), name: 'H1.example.org' }] },
    'conversion-unfinished': {
      ...resting,
      now: AT,
      layouts: [{ host: hostId(1), state: 'failed', since: AT, why: 'no room' }],
    },
    'unreadable-record': {
      ...resting,
      surveys: [{ host: hostId(1), unreadable: [{ table: 'host_survey', key: '', column: 'guests', reason: '' }] }],
    },
    'projection-differs': {
      ...resting,
      now: AT,
      projected: [{ host: hostId(1), memory: 3, tables: 4, differsSince: AT - 60_000 }],
    },
    ...powerCases(resting, AT),
    'quarantined-host-runs': {
      ...resting,
      hosts: [held, smallHost({ n: 2, frame: { scheduling: 'quarantined' } })],
      domains: running(2),
    },
  }
  test.each(FINDING_KINDS)('%s', (kind) => {
    expect(kinds(cases[kind])).toContain(kind)
  })

  test('a PF and one of its VFs held by two claims count as one unit held twice', () => {
    const pf = planned(bare(1), 1, pinned(1, { 'pci_passthrough:alias': 'pf:1' }))
    const alone = { ...pf, body: { ...pf.body, units: pf.body.units.filter((each) => each.use !== 'with-parent') } }
    const vf = planned(bare(1), 2, pinned(1, { 'pci_passthrough:alias': 'vf:1' }))
    const nodeOne = { ...vf, body: { ...vf.body, units: vf.body.units.filter((each) => each.kind !== 'cpu') } }
    const found = audit({ ...resting, hosts: [holdsOn(1, alone, nodeOne)] }, auditDemand)
    expect(found.filter((each) => each.kind === 'unit-held-twice')).toMatchObject([
      { where: { unit: 'pci:0000:10:00.1' }, consumers: [instanceId(1), instanceId(2)] },
    ])
  })

  test("a migration with another instance's claim is not its consumer", () => {
    const migrations = [migration({ instance: instanceId(9) })]
    expect(kinds({ ...verifying, migrations })).toContain('orphan-claim')
  })

  test('the usage of a shared pool must equal the claims on all its hosts', () => {
    const inventories = [inventory('DISK_GB', 10)]
    const pool = { id: providerId(900), name: 'nfs', parent: null, generation: 1, traits: [], sharing: true }
    const small = { diskGib: 0, sharing: [{ ...pool, inventories, aggregates: ['a'] }], aggregates: ['a'] }
    const hosts = [1, 2].map((n) => withInstance(smallHost({ ...small, n }), n, OLD))
    const instances = [instance(1), instance(2, { host: hostId(2) })]
    expect(kinds({ hosts, instances, migrations: [] })).toEqual(['usage-mismatch'])
    expect(kinds({ hosts: shareUsage(hosts), instances, migrations: [] })).toEqual([])
  })

  test('a finding names its instance, migration and consumers', () => {
    const [finding] = audit({ ...verifying, hosts: [withoutHolding(first, claimId(1)), second] }, auditDemand)
    expect(finding).toMatchObject({
      kind: 'migration-claim-wrong',
      instance: instanceId(1),
      migration: migrationId(1),
      consumers: [migrationId(1)],
      expected: 'h1',
      found: 'nothing',
    })
  })
})

describe('a claim that does not match its flavor names the difference', () => {
  const found = (of: Instance['flavor']) =>
    audit({ ...resting, instances: [instance(1, { flavor: of })] }, auditDemand).flatMap((each) =>
      each.found.split('; '),
    )

  const cases = [
    [pinned(2, {}, { diskGib: 9 }), 'DISK_GB is 1, not 9'],
    [pinned(2, { 'hw:numa_nodes': '2' }), 'cells is 1, not 2'],
    [pinned(2, { 'hw:mem_page_size': '2048' }), 'guest NUMA node 0 has pages of null KiB, not 2048'],
    [pinned(2, { 'hw:emulator_threads_policy': 'isolate' }), 'guest NUMA node 0 emulator CPUs is 0, not 1'],
    [pinned(2, { 'pci_passthrough:alias': 'vf:1' }), 'devices of flavor:vf:0 is 0, not 1'],
    [pinned(2, { 'resources:VGPU': '1' }), 'devices of vgpu:0 is 0, not 1'],
  ] as const
  test.each(cases)('for %j', (of, problem) => {
    expect(found(of)).toContain(problem)
  })
})

test('incremental auditors in interleaved slices find the same as a fresh one', () => {
  const auditor = newInterruptibleAuditor(auditDemand)
  const snapshots = [resting, verifying, { ...verifying, migrations: [] }, resting]
  const found = new Map<Snapshot, unknown>()
  const running = snapshots.map((snapshot) => ({ snapshot, parts: auditor(snapshot) }))
  for (let left = running; left.length > 0; left = left.filter(({ snapshot }) => !found.has(snapshot))) {
    for (const { snapshot, parts } of left) {
      const { done, value } = parts.next()
      if (done && value) found.set(snapshot, value)
    }
  }
  for (const snapshot of snapshots) expect(found.get(snapshot)).toEqual(audit(snapshot, auditDemand))
})

describe('surveys as evidence', () => {
  const kindsAt = (snapshot: Snapshot) => audit(snapshot, auditDemand).map(({ kind }) => kind)

  test('no answer does not mean that nothing runs there', () => {
    const silent = { ...surveys(1), latest: survey([], { answered: false }) }
    expect(kindsAt({ ...resting, hostSurveys: [silent] })).toEqual([])
    expect(kindsAt({ ...resting, hostSurveys: [] })).toEqual([])
  })

  test('are told apart, so that two equal answers do not look like one row shown twice', () => {
    const snapshot: Snapshot = { ...resting, hostSurveys: [surveys(1)] }
    const [finding] = audit(snapshot, auditDemand)
    const says = witnessOf(snapshot)(finding!).flatMap((each) => (each.source === 'hypervisor' ? [each.says] : []))
    expect(says).toEqual(['it is not here', 'in the previous survey: it is not here'])
  })

  test('say nothing about an instance that was written after them', () => {
    expect(kindsAt({ ...resting, hostSurveys: [surveys(1)], written: new Map([[instanceId(1), AT + 1]]) })).toEqual([])
    const ended = [migration({ step: 'ended', stepSince: AT + 1 })]
    expect(kindsAt({ ...resting, hostSurveys: [surveys(2, {}), surveys(1)], migrations: ended })).toEqual([])
  })

  test('taken while an instance moves between the hosts do not mean that it runs twice', () => {
    const crossing = { ...verifying, instances: [instance(1)], hostSurveys: [surveys(1, {}), surveys(2, {})] }
    const migrations = (step: 'transfer' | 'release') => [
      migration({ step, home: 'source', operation: 'live-migrate', stepSince: 0 }),
    ]
    expect(kindsAt({ ...crossing, migrations: migrations('transfer') })).toEqual([])
    expect(kindsAt({ ...crossing, migrations: migrations('release') })).toContain('instance-runs-twice')
  })

  test('make a finding likely when two agree, but not when there is only one', () => {
    const twice = { ...resting, hostSurveys: [surveys(1), surveys(2, {})] }
    const [found] = audit(twice, auditDemand)
    expect(found).toMatchObject({ kind: 'instance-runs-elsewhere', host: hostId(2) })
    expect(confidenceOf(found!, twice)).toBe('likely')
    const once = { ...resting, hostSurveys: [surveys(1), { ...surveys(2, {}), earlier: survey([], { at: AT - 1 }) }] }
    expect(confidenceOf(audit(once, auditDemand)[0]!, once)).toBe('once')
    expect(confidenceOf(audit({ ...resting, instances: [] }, auditDemand)[0]!, twice)).toBe('sure')
  })
})

describe('the audit accepts', () => {
  test('a provider of another machine', () => {
    const looseRoots = ['h1.a', 'h10', 'other'].map((name, n) => ({ provider: providerId(n), name }))
    expect(kinds({ ...resting, hosts: [{ ...held, name: 'h1.b' }], looseRoots })).toEqual([])
  })

  test('a migration within the limit of its wait, or with a confirm window', () => {
    expect(kinds({ ...releasing, now: AT + 9 * 60_000 })).toEqual([])
    const waiting = { for: 'person' } as const
    const migrations = [migration({ stepSince: AT, waiting, dueAt: AT + 90_000_000 })]
    expect(kinds({ ...verifying, migrations, now: AT + 90_000_000 })).toEqual([])
  })

  test('a leftover of the other side of a same-host resize', () => {
    const migrations = [migration({ step: 'ended', target: hostId(1) })]
    const leftovers = [{ host: hostId(1), instance: instanceId(1), migration: migrationId(1), side: 'source' } as const]
    expect(kinds({ ...resting, migrations, leftovers })).toEqual([])
  })
})
