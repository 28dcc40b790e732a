import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SurveyResult } from '../audit/snapshot'
import { HOST_STATUSES } from '../host'
import { permissionsOf } from '../migration/machine'
import { type Migration, OPERATIONS, REQUESTED_ACTIONS, type RequestedAction, STEPS } from '../migration/state'
import type { SideState } from '../migration/switch-decision'
import { fleetOf } from '../testing/fleet'
import { hostId, migrationId } from '../testing/hosts'
import { migrationOf } from '../testing/migrations'
import { hostFactsFrom, migrationFactsFrom } from './facts-from'
import { adviseHost } from './host-advice'
import type { HostFact } from './host-facts'
import { adviseMigration, type MigrationFacts } from './migration-advice'

const NOW = 10_000_000
const MINUTE_MS = 60_000

function host(n: number, set: Partial<HostFact> = {}): HostFact {
  const known = { status: 'up', statedAt: null, answered: true, lookedAt: NOW, running: 3 } as const
  return { id: hostId(n), name: `h${n}`, ...known, ...set }
}

const migration = (set: Partial<Migration> = {}): Migration =>
  migrationOf({ step: 'transfer', stepSince: NOW, nextAt: NOW, ...set })

function facts(set: Partial<MigrationFacts> = {}): MigrationFacts {
  return {
    migration: migration(),
    source: { host: host(1), observed: 'running' },
    target: { host: host(2), observed: 'shell' },
    heal: { is: 'none', why: 'The rows are as they should be.' },
    now: NOW,
    ...set,
  }
}

const verdicts = (of: MigrationFacts) =>
  Object.fromEntries(adviseMigration(of).actions.map(({ action, verdict }) => [action, verdict]))

const STANDINGS: readonly SideState[] = ['running', 'stopped', 'left', 'shell', 'absent', 'silent', 'fenced', 'lost']

test('the adviser calls exactly the actions impossible that the state machine forbids', () => {
  const side = (n: number) =>
    fc.record({
      host: fc
        .record({ status: fc.constantFrom(...HOST_STATUSES), answered: fc.constantFrom(true, false, null) })
        .map((set) => host(n, set)),
      observed: fc.constantFrom(...STANDINGS),
    })
  const migrations = fc
    .record({
      operation: fc.constantFrom(...OPERATIONS),
      step: fc.constantFrom(...STEPS),
      direction: fc.constantFrom('source' as const, 'target' as const),
      home: fc.constantFrom('source' as const, 'target' as const),
      handedOver: fc.boolean(),
      forced: fc.boolean(),
    })
    .map(migration)
  fc.assert(
    fc.property(migrations, fc.option(side(1)), fc.option(side(2)), (migration, source, target) => {
      const { actions } = adviseMigration(facts({ migration, source, target }))
      const allowed = new Map(permissionsOf(migration).map((each) => [each.requestedAction, each.allowed]))
      for (const { action, verdict, because, proof } of actions) {
        expect(because).not.toBe('')
        expect(proof.length).toBeGreaterThan(0)
        if (!REQUESTED_ACTIONS.includes(action as RequestedAction)) continue
        expect([action, verdict === 'impossible']).toEqual([action, !allowed.get(action as RequestedAction)])
      }
    }),
    { numRuns: 2000 },
  )
})

test('the adviser never relies on a status that a later survey contradicts', () => {
  const time = fc.option(fc.nat(100), { nil: null })
  const drawn = fc.record({
    ...{ status: fc.constantFrom(...HOST_STATUSES), statedAt: time, lookedAt: fc.nat(100) },
    ...{ answered: fc.constantFrom(true, false, null), running: fc.nat(3) },
  })
  const none = { is: 'none', why: 'Nothing to heal.' } as const
  fc.assert(
    fc.property(drawn, (set) => {
      const known = host(1, { ...set, lookedAt: set.answered === null ? null : set.lookedAt })
      const dead = known.status === 'fenced' || known.status === 'lost'
      const rest = { instances: 1, waitingMigrations: 0, silence: null, heal: none }
      const observed: SideState = dead ? (known.status as 'fenced') : known.answered ? 'running' : 'silent'
      const actions = [
        ...adviseHost({ host: known, ...rest }).actions,
        ...adviseMigration(facts({ source: { host: known, observed } })).actions,
      ]
      const later = known.answered !== null && (known.statedAt === null || known.lookedAt! > known.statedAt)
      const against = later && known.answered !== (known.status === 'up')
      for (const { action, verdict, proof } of actions) {
        const stated = proof.filter((each) => each.source === 'person' && each.host === known.id)
        if (against) expect(stated).toEqual([])
        expect([action, verdict]).not.toEqual(['force-complete', 'safe'])
        // Only an operator marks a host as dead, so an action that relies on it is at most attested.
        if (action === 'evacuate') expect(verdict).not.toBe('safe')
        if (action === 'evacuate' && against) expect(verdict).not.toBe('attested')
      }
    }),
  )
})

describe('advice on a migration', () => {
  const silent = { host: host(1, { answered: false }), observed: 'silent' } as const
  const cases: readonly [string, Partial<MigrationFacts>, Record<string, string>][] = [
    [
      'under way with both hosts answering: abort is safe',
      {},
      { abort: 'safe', 'force-complete': 'unsafe', confirm: 'impossible', wait: 'safe' },
    ],
    [
      'under way with a silent source: abort is unknown',
      { source: silent },
      { abort: 'unknown', 'force-complete': 'unknown' },
    ],
    [
      'under way with a dead source: abort is unsafe',
      { source: { host: host(1, { status: 'fenced' }), observed: 'fenced' } },
      { abort: 'unsafe', 'force-complete': 'unsafe' },
    ],
    [
      'in verify and running at its target: confirm and revert are safe',
      {
        migration: migration({ operation: 'resize', step: 'verify', home: 'target' }),
        target: { host: host(2), observed: 'running' },
      },
      { confirm: 'safe', revert: 'safe', abort: 'impossible' },
    ],
    [
      'in verify but not running at its target: confirm is unsafe',
      {
        migration: migration({ operation: 'resize', step: 'verify', home: 'target' }),
        target: { host: host(2), observed: 'absent' },
      },
      { confirm: 'unsafe' },
    ],
    [
      'in verify with a lost source: revert is unsafe',
      {
        migration: migration({ operation: 'resize', step: 'verify', home: 'target' }),
        source: { host: host(1, { status: 'lost' }), observed: 'lost' },
      },
      { revert: 'unsafe' },
    ],
  ]
  test.each(cases)('%s', (_story, set, expected) => {
    expect(verdicts(facts(set))).toMatchObject(expected)
  })

  test.each([
    ['dirties memory as fast as the link copies it calls it stuck', 1000, false, NOW - MINUTE_MS],
    ['dirties memory more slowly does not call it stuck', 999, false, null],
    ['already runs at its target does not call it stuck', 1000, true, null],
  ])('that %s', (_story, dirtyBytesPerS, postCopy, since) => {
    const rest = { at: NOW, totalBytes: 9, remainingBytes: 5, bandwidthBytesPerS: 1000, iteration: 4, downtimeMs: null }
    const asked = migration({ stepSince: NOW - MINUTE_MS, progress: { ...rest, dirtyBytesPerS, postCopy } })
    const { stuck } = adviseMigration(facts({ migration: asked }))
    expect(stuck).toEqual(
      since === null ? null : { why: expect.stringContaining('faster than the link copies it'), since },
    )
  })

  test('is stuck with a reason after 40 minutes in source cleanup, and fencing needs evidence (S2)', () => {
    const waiting = { for: 'host', host: hostId(1), why: 'nobody answers' } as const
    const asked = migration({
      step: 'release',
      home: 'target',
      handedOver: true,
      stepSince: NOW - 40 * MINUTE_MS,
      waiting,
    })
    const answer = adviseMigration(
      facts({ migration: asked, source: silent, target: { host: host(2), observed: 'running' } }),
    )
    expect(answer.stuck).toEqual({
      why: 'it is waiting in release for h1: nobody answers',
      since: NOW - 40 * MINUTE_MS,
    })
    const by = new Map(answer.actions.map((each) => [each.action, each]))
    expect(by.get('mark-fenced')).toMatchObject({ verdict: 'unknown', needs: [expect.stringContaining('power')] })
    expect(by.get('mark-down')).toMatchObject({ verdict: 'safe' })
    expect(by.get('abort')).toMatchObject({ verdict: 'impossible' })
    expect(by.get('heal')).toMatchObject({ verdict: 'impossible' })
  })

  test('calls it unsafe to mark a host as dead where the instance was seen running', () => {
    const waiting = { for: 'host', host: hostId(1), why: 'a verb had no answer' } as const
    expect(verdicts(facts({ migration: migration({ waiting }) }))).toMatchObject({
      'mark-fenced': 'unsafe',
      'mark-lost': 'unsafe',
    })
  })

  test('calls a planned repair safe and a locked one impossible', () => {
    const heal = { is: 'planned', title: 'Records', locked: null } as const
    expect(verdicts(facts({ heal }))).toMatchObject({ heal: 'safe' })
    expect(verdicts(facts({ heal: { ...heal, locked: 'A migration is in flight' } }))).toMatchObject({
      heal: 'impossible',
    })
  })
})

describe('advice on a host', () => {
  const none = { is: 'none', why: 'Nothing to heal.' } as const
  const about = (set: Partial<HostFact>, instances = 2) => {
    const given = {
      host: host(1, set),
      instances,
      waitingMigrations: 1,
      silence: set.answered === false ? { since: NOW - 1 } : null,
      heal: none,
    }
    const { stuck, actions } = adviseHost(given)
    return { stuck, ...Object.fromEntries(actions.map(({ action, verdict }) => [action, verdict])) }
  }
  test('that answers allows a drain, no evacuation, and calls marking it as dead unsafe', () => {
    expect(about({})).toEqual({
      stuck: null,
      wait: 'safe',
      'mark-up': 'impossible',
      'mark-down': 'unsafe',
      'mark-fenced': 'unsafe',
      'mark-lost': 'unsafe',
      evacuate: 'impossible',
      heal: 'impossible',
    })
  })
  test('that is silent needs evidence before anything starts elsewhere', () => {
    expect(about({ answered: false })).toMatchObject({
      stuck: { why: 'h1 does not answer', since: NOW - 1 },
      'mark-down': 'safe',
      'mark-fenced': 'unknown',
      evacuate: 'impossible',
    })
  })
  test('that is fenced allows an evacuation while instances are recorded there', () => {
    expect(about({ status: 'fenced', answered: false })).toMatchObject({
      evacuate: 'attested',
      'mark-fenced': 'impossible',
    })
    expect(about({ status: 'fenced', answered: false }, 0)).toMatchObject({ evacuate: 'impossible' })
  })
  test('that is permanently lost rules out its return', () => {
    expect(about({ status: 'lost' })).toMatchObject({ wait: 'impossible', 'mark-up': 'impossible', evacuate: 'unsafe' })
    expect(about({ status: 'lost', answered: false })).toMatchObject({ evacuate: 'attested' })
  })
})

describe('facts from a snapshot', () => {
  const { snapshot, moving } = fleetOf(3)
  const migration = moving[0]!
  const known = { heal: { is: 'none', why: 'Nothing to heal.' }, statedAt: () => null } as const

  test('take the sides from the latest surveys, and call them silent without an answer', () => {
    const seen = migrationFactsFrom(snapshot, migration.id, known)
    expect(seen?.source).toMatchObject({ host: { id: migration.source, answered: true } })
    expect(seen?.source?.observed).not.toBe('silent')
    const unseen = migrationFactsFrom({ ...snapshot, hostSurveys: [] }, migration.id, known)
    expect(unseen?.source).toMatchObject({ observed: 'silent', host: { answered: null } })
    expect(migrationFactsFrom(snapshot, migrationId(999), known)).toBeNull()
  })

  test('distinguish the new domain of a same-host resize from the old one', () => {
    const { id, instance, source } = migration
    const domain = { instance, body: null }
    const domains = [
      { ...domain, observedState: 'stopped', migration: null },
      { ...domain, observedState: 'running', migration: id },
    ] as const
    const within = {
      ...snapshot,
      migrations: snapshot.migrations.map((each) => (each.id === id ? { ...each, target: source } : each)),
      hostSurveys: [{ host: source!, latest: { at: NOW, answered: true, domains, devices: null }, earlier: null }],
    }
    expect(migrationFactsFrom(within, id, known)).toMatchObject({
      source: { observed: 'stopped' },
      target: { observed: 'running' },
    })
  })

  test('count the instances on a host and the migrations that wait for it', () => {
    const waiting = { for: 'host', host: migration.source!, why: 'silent' } as const
    const stuck = { ...snapshot, migrations: snapshot.migrations.map((each) => ({ ...each, waiting })) }
    expect(hostFactsFrom(stuck, migration.source!, known)).toMatchObject({
      waitingMigrations: stuck.migrations.length,
      instances: snapshot.instances.filter(({ host: home }) => home === migration.source).length,
      silence: null,
    })
    expect(hostFactsFrom(snapshot, hostId(999), known)).toBeNull()
  })

  test('date the silence of a host from its last answer, however often it was surveyed since', () => {
    const id = migration.source!
    const asked = (answered: boolean, at: number) => ({ at, answered, domains: [], devices: null })
    const stuckWith = (latest: SurveyResult, earlier: SurveyResult | null) => {
      const facts = hostFactsFrom({ ...snapshot, hostSurveys: [{ host: id, latest, earlier }] }, id, known)
      return adviseHost(facts!).stuck
    }
    const silent = asked(false, NOW)
    expect(stuckWith(silent, asked(true, NOW - 40 * MINUTE_MS))).toMatchObject({
      why: expect.stringMatching(/ does not answer$/),
      since: NOW - 40 * MINUTE_MS,
    })
    const never = { why: expect.stringMatching(/ has never answered$/), since: null }
    expect(stuckWith(silent, null)).toEqual(never)
    expect(stuckWith(silent, asked(false, NOW - MINUTE_MS))).toEqual(never)
    expect(stuckWith(asked(true, NOW), null)).toBeNull()
    expect(hostFactsFrom({ ...snapshot, hostSurveys: [] }, id, known)?.silence).toBeNull()
  })
})
