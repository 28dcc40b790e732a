import fc from 'fast-check'
import { expect, test } from 'vitest'
import { STEPS } from '../migration/state'
import { hostId, instanceId, migrationId } from '../testing/hosts'
import { type LeftoverRowRecords, leftoverRowDisproof } from './leftover-row'

// Leftovers of an earlier migration may be cleaned up while another one waits for exactly that, and at no other time.

const HERE = hostId(1)
const ELSEWHERE = hostId(2)
const host = fc.constantFrom(HERE, ELSEWHERE)

const records = fc
  .record({
    left: fc.record({ source: host, target: host, side: fc.constantFrom('source', 'target') }),
    active: fc.record({
      ...{ step: fc.constantFrom(...STEPS.filter((step) => step !== 'ended')), source: host, target: host },
      direction: fc.constantFrom('source', 'target'),
    }),
  })
  .map(({ left, active }) => {
    const ended = { id: migrationId(1), instance: instanceId(1), step: 'ended', home: 'source', ...left }
    return {
      leftover: { host: HERE, instance: instanceId(1), migration: migrationId(1), side: left.side },
      instance: { id: instanceId(1), name: 'web', host: HERE, vmState: 'active' },
      migration: { ...ended, home: left.side === 'source' ? 'target' : 'source' },
      active: { id: migrationId(2), instance: instanceId(1), ...active },
      claimed: true,
      observed: { here: 'stopped', home: 'stopped' },
    } as unknown as LeftoverRowRecords
  })

test('a leftover is cleaned during a migration only if that one waits to restart the instance there', () => {
  let cleaned = 0
  fc.assert(
    fc.property(records, (each) => {
      if (leftoverRowDisproof(each) !== null) return
      cleaned += 1
      const { migration, active } = each
      expect(migration?.source).toBe(migration?.target)
      const touched = active?.source === HERE || active?.target === HERE
      if (touched) expect([active?.step, active?.direction && active[active.direction]]).toEqual(['switch', HERE])
    }),
    { numRuns: 2_000, seed: 1 },
  )
  expect(cleaned).toBeGreaterThan(20)
})
