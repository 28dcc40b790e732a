import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hostId } from '../testing/hosts'
import { migrationOf } from '../testing/migrations'
import type { Fact } from './facts'
import { acceptAction, advance, permissionsOf } from './machine'
import { operationRow } from './operations'
import { type Migration, OPERATIONS, type Operation, type Progress, REQUESTED_ACTIONS, STEPS, type Step } from './state'
import { type SideState, switchDecision } from './switch-decision'

const HOST = hostId(1)

const migrationIn = (operation: Operation, step: Step, more: Partial<Migration> = {}): Migration =>
  migrationOf({ operation, step, home: step === 'verify' ? 'target' : 'source', ...more })

describe('permitted actions', () => {
  // operation      step      allowed requested actions
  const TABLE = `
    live-migrate  claim     abort
    live-migrate  prepare   abort
    live-migrate  transfer  abort force-complete
    live-migrate  switch    -
    live-migrate  release   -
    cold-migrate  claim     abort
    cold-migrate  prepare   abort
    cold-migrate  transfer  -
    cold-migrate  switch    -
    cold-migrate  verify    confirm revert
    cold-migrate  release   -
    resize        prepare   abort
    resize        verify    confirm revert
    evacuate      prepare   abort
    evacuate      transfer  -
    rebuild       claim     abort
    rebuild       prepare   -
    unshelve      prepare   abort
    unshelve      ended     -`
  const rows = TABLE.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  test.each(rows)('for %s in %s', (operation, step, ...requestedActions) => {
    const migration = migrationIn(operation as Operation, step as Step)
    const allowed = permissionsOf(migration).flatMap((each) => (each.allowed ? [each.requestedAction] : []))
    expect(allowed).toEqual(requestedActions.filter((requestedAction) => requestedAction !== '-'))
  })

  test('a migration cannot be aborted after the hand-over or once forced', () => {
    for (const more of [{ handedOver: true }, { forced: true }, { direction: 'source' }] as const) {
      expect(acceptAction(migrationIn('live-migrate', 'transfer', more), 'abort', 1).ok).toBe(false)
    }
  })
})

const facts = (step: Step): fc.Arbitrary<Fact> =>
  fc.oneof(
    fc.constantFrom<Fact>(
      { is: 'no-slot', place: 1 },
      { is: 'claimed', target: HOST },
      { is: 'refused', hosts: [], asked: 0 },
      { is: 'lost-race', tried: [], why: 'w' },
      { is: 'done', step },
      { is: 'failed', step, why: 'w' },
      { is: 'silent', host: HOST, why: 'w' },
      { is: 'stopped' },
      { is: 'forced' },
      { is: 'no-way-back', why: 'w' },
      { is: 'action-accepted' },
      { is: 'window-over' },
      { is: 'undecided' },
      { is: 'lost', why: 'w' },
    ),
    fc.constantFrom(...STEPS).map((other): Fact => ({ is: 'done', step: other })),
  )

const anyMigration = fc
  .record({
    operation: fc.constantFrom(...OPERATIONS),
    step: fc.constantFrom(...STEPS.filter((step) => step !== 'ended')),
    direction: fc.constantFrom('source' as const, 'target' as const),
    requestedAction: fc.option(fc.constantFrom(...REQUESTED_ACTIONS)),
    handedOver: fc.boolean(),
  })
  .map(({ operation, step, ...more }) => migrationIn(operation, step, more))

describe('advance', () => {
  test('accepts every fact in every step, and an ended migration stays as it is', () => {
    fc.assert(
      fc.property(
        anyMigration,
        fc.array(fc.constantFrom(...STEPS).chain(facts), { maxLength: 40 }),
        (start, reports) => {
          let migration = start
          for (const fact of reports) {
            const next = advance(migration, fact, 1_000)
            if (migration.step === 'ended') expect(next).toBe(migration)
            if (next.step === 'ended' && migration.step !== 'ended') {
              expect(next.outcome).not.toBeNull()
              expect(next.outcome === 'completed').toBe(next.home === 'target')
            }
            expect(next.nextAt).toBeGreaterThanOrEqual(0)
            migration = next
          }
        },
      ),
    )
  })

  test('ignores a late fact of another step', () => {
    const migration = migrationIn('resize', 'transfer')
    expect(advance(migration, { is: 'done', step: 'prepare' }, 5)).toBe(migration)
  })

  test('keeps the final statistics of a transfer, or the last ones if there are none', () => {
    const seen = { at: 1, totalBytes: 8, remainingBytes: 4, dirtyBytesPerS: 1, bandwidthBytesPerS: 2, iteration: 3 }
    const onTheWay: Progress = { ...seen, downtimeMs: null, postCopy: false }
    const final: Progress = { ...onTheWay, remainingBytes: 0, downtimeMs: 41 }
    const migration = migrationIn('live-migrate', 'transfer', { progress: onTheWay })
    const done: Fact = { is: 'done', step: 'transfer' }
    expect(advance(migration, { ...done, progress: final }, 5)).toMatchObject({ step: 'switch', progress: final })
    expect(advance(migration, done, 5)).toMatchObject({ step: 'switch', progress: onTheWay })
  })

  test('passes every rollback through switch', () => {
    fc.assert(
      fc.property(anyMigration, fc.constantFrom(...STEPS).chain(facts), (migration, fact) => {
        const next = advance(migration, fact, 1)
        if (migration.direction === 'target' && next.direction === 'source') expect(next.step).toBe('switch')
      }),
    )
  })

  test('a release retries for ever, however often it fails', () => {
    let migration = migrationIn('live-migrate', 'release', { home: 'target' })
    for (let n = 0; n < 100; n++) migration = advance(migration, { is: 'failed', step: 'release', why: 'w' }, n)
    expect(migration).toMatchObject({ step: 'release', waiting: { for: 'retry', why: 'w' } })
  })

  test.each(['verify', 'release'] as const)('rolls back from %s when the target copy is permanently lost', (step) => {
    const migration = migrationIn('resize', step, {
      home: 'target',
      requestedAction: step === 'verify' ? 'confirm' : null,
    })
    const back = advance(migration, { is: 'lost', why: 'w' }, 5)
    expect(back).toMatchObject({ step: 'switch', direction: 'source', home: 'target', requestedAction: null })
    expect(back.cause).toMatchObject({ kind: 'failed', step, message: 'w' })
    const home = advance(back, { is: 'done', step: 'switch' }, 6)
    expect(home).toMatchObject({ step: 'release', home: 'source' })
    expect(advance(home, { is: 'lost', why: 'w' }, 7)).toBe(home)
    expect(advance(home, { is: 'done', step: 'release' }, 8)).toMatchObject({ step: 'ended', outcome: 'failed' })
  })

  test('awaits confirm or revert only for operations with verify', () => {
    for (const operation of OPERATIONS) {
      const next = advance(migrationIn(operation, 'switch'), { is: 'done', step: 'switch' }, 1)
      expect(next.step).toBe(operationRow(operation).verify ? 'verify' : 'release')
    }
  })
})

describe('switch observes before it starts', () => {
  // operation    direction  source   target   course
  const TABLE = `
    live-migrate  target   left     running  run
    live-migrate  target   silent   running  run
    live-migrate  target   running  shell    failed
    live-migrate  target   left     stopped  run
    live-migrate  source   running  shell    run
    live-migrate  source   running  silent   run
    live-migrate  source   left     running  no-way-back
    live-migrate  source   silent   running  no-way-back
    live-migrate  source   stopped  silent   wait-target
    live-migrate  source   silent   shell    wait-source
    live-migrate  source   fenced   fenced   wait-target
    live-migrate  source   lost     lost     agree
    cold-migrate  target   stopped  stopped  run
    cold-migrate  target   silent   stopped  wait-source
    cold-migrate  target   stopped  silent   wait-target
    cold-migrate  target   stopped  lost     failed
    cold-migrate  target   fenced   stopped  run
    cold-migrate  source   stopped  running  run
    cold-migrate  source   stopped  silent   wait-target
    cold-migrate  source   fenced   running  no-way-back
    cold-migrate  source   fenced   shell    agree
    cold-migrate  source   fenced   stopped  agree
    cold-migrate  source   lost     stopped  no-way-back
    cold-migrate  source   lost     shell    agree
    resize        source   lost     lost     agree
    resize        source   lost     stopped  no-way-back
    evacuate      target   fenced   stopped  run
    evacuate      source   fenced   shell    agree
    evacuate      source   fenced   silent   wait-target
    rebuild       source   absent   shell    agree
    unshelve      source   lost     shell    agree
    unshelve      source   lost     running  no-way-back`
  const rows = TABLE.trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  test.each(rows)('%s direction %s, source %s, target %s: %s', (operation, direction, source, target, expected) => {
    const migration = migrationIn(operation as Operation, 'switch', { direction: direction as Migration['direction'] })
    const course = switchDecision(migration, { source: source as SideState, target: target as SideState })
    const event = course.do === 'report' ? course.fact.is : course.do === 'wait' ? `wait-${course.side}` : course.do
    expect(event).toBe(expected)
  })
})
