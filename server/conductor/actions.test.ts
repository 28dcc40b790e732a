import { describe, expect, test } from 'vitest'
import { operationRow } from '../engine/migration/operations'
import type { HostId } from '../engine/words/ids'
import { actionOf } from './actions'
import type { MigrationView } from './effects'
import type { TickOptions } from './options'

// The record of a host is missing, as after a row was edited with a database client. The host is not marked as lost, so
// its instance may run, and nothing is released.

const source = 'a' as HostId
const target = 'b' as HostId

function viewOf(change: Partial<MigrationView['migration']>, up: readonly HostId[]): MigrationView {
  const { operation = 'live-migrate' } = change
  const migration = { operation, source, target, direction: 'target', home: 'source', requestedAction: null, ...change }
  const host = (id: HostId | null) =>
    id !== null && up.includes(id) ? { id, status: 'up', scheduling: 'enabled', holdings: [] } : null
  const sides = { source: host(migration.source), target: host(migration.target) }
  const records = { migration, instance: {}, heldByInstance: [], heldByMigration: [] }
  return { ...records, ...sides, committed: sides } as unknown as MigrationView
}

/** The action's result before it contacts any host. */
function immediateResultOf(view: MigrationView) {
  const { value, done } = actionOf(view, {} as TickOptions).next()
  return done ? value : null
}

describe('a host without a record', () => {
  test.each(['prepare', 'transfer'] as const)('makes the step %s wait, on either side', (step) => {
    for (const [missing, there] of [
      [source, target],
      [target, source],
    ] as const) {
      const side = missing === source ? 'source' : 'target'
      const fact = { is: 'silent', host: missing, why: `the ${side} host has no record` }
      expect(immediateResultOf(viewOf({ step }, [there]))).toMatchObject({ kind: 'fact', fact })
    }
  })

  test('makes its clean-up wait', () => {
    const fact = { is: 'silent', host: target }
    expect(immediateResultOf(viewOf({ step: 'release', direction: 'source' }, [source]))).toMatchObject({ fact })
  })

  test('differs from a side that the operation does not have', () => {
    expect(operationRow('unshelve').source).toBe('none')
    const view = viewOf({ step: 'prepare', operation: 'unshelve', source: null }, [target])
    const { value, done } = actionOf(view, {} as TickOptions).next()
    expect({ done, value }).toMatchObject({ done: false, value: { name: 'prepare' } })
  })
})

describe('a target that is permanently lost after the switch', () => {
  const lost = { kind: 'fact', claim: null, fact: { is: 'lost', why: 'the target host is permanently lost' } }
  const seen = (
    step: 'verify' | 'release',
    statuses: readonly [source: string, target: string],
    requestedAction: string | null,
  ) => {
    const view = viewOf({ step, operation: 'resize', home: 'target', dueAt: 0 }, [source, target])
    Object.assign(view.migration, { requestedAction })
    Object.assign(view.source ?? {}, { status: statuses[0] })
    Object.assign(view.target ?? {}, { status: statuses[1] })
    return view
  }

  test.each([null, 'confirm', 'revert'])('is not confirmed, with the requested action %s', (requestedAction) => {
    expect(immediateResultOf(seen('verify', ['up', 'lost'], requestedAction))).toEqual(lost)
  })

  test('leaves no rollback when the source is lost too', () => {
    expect(immediateResultOf(seen('verify', ['lost', 'lost'], 'confirm'))).toMatchObject({
      fact: { is: 'action-accepted' },
    })
  })

  test('is detected before the last copy is cleaned up', () => {
    for (const [standing, expected] of [
      ['stopped', { done: true, value: lost }],
      ['absent', { done: false, value: { name: 'proof' } }],
    ] as const) {
      const acting = actionOf(seen('release', ['up', 'lost'], null), {} as TickOptions)
      expect(acting.next()).toMatchObject({ done: false, value: { name: 'locate' } })
      expect(acting.next({ source: standing, target: 'lost' })).toMatchObject(expected)
    }
  })
})
