import { describe, expect, test } from 'vitest'
import { hostId, smallHost } from '../testing/hosts'
import { layoutStateOf, type Marker } from './marker'
import {
  advanced,
  commanded,
  failedAt,
  isOpen,
  newRollout,
  type Rollout,
  type RolloutCommand,
  rolloutHost,
} from './rollout'

const rollout = (set: Partial<Rollout> = {}): Rollout => ({
  ...newRollout({ id: 'w', hosts: [hostId(1), hostId(2)], by: 'ann', reason: 'because', at: 1 }),
  ...set,
})

describe('a rollout', () => {
  test('converts host after host and is done after the last', () => {
    const second = advanced(rollout(), 'healed')
    expect([rolloutHost(rollout()), rolloutHost(second)]).toEqual([hostId(1), hostId(2)])
    expect(advanced(second, 'blocked')).toMatchObject({ state: 'done', next: 2, healed: 1, blocked: 1, skipped: 0 })
    expect(rolloutHost(advanced(second, 'blocked'))).toBeNull()
    expect(newRollout({ ...rollout(), hosts: [] }).state).toBe('done')
  })

  test('that failed stays at its host and is open until it is stopped', () => {
    const failed = failedAt(rollout(), hostId(1), 'it broke')
    expect(failed).toMatchObject({ state: 'stopped', failed: hostId(1), why: 'it broke', next: 0 })
    expect(isOpen(failed)).toBe(true)
    expect(commanded(failed, 'resume')).toMatchObject({ state: 'running', failed: null, why: null, next: 0 })
    expect(isOpen(commanded(failed, 'stop') as Rollout)).toBe(false)
  })

  test.each<[Partial<Rollout>, RolloutCommand, object]>([
    [{}, 'pause', { state: 'paused' }],
    [{}, 'resume', { why: 'The rollout is already running.' }],
    [{}, 'stop', { state: 'stopped', failed: null }],
    [{ state: 'paused' }, 'pause', { why: 'The rollout is paused already.' }],
    [{ state: 'paused' }, 'resume', { state: 'running' }],
    [{ state: 'done' }, 'resume', { why: 'The rollout is done.' }],
    [{ state: 'stopped' }, 'resume', { why: 'The rollout is stopped.' }],
  ])('%j on %s ends as expected', (set, command, after) => {
    expect(commanded(rollout(set), command)).toMatchObject(after)
  })
})

const marker = (state: Marker['state']): Marker => ({
  ...{ host: hostId(1), state, why: null, by: 'ann', at: 1, version: 1, wave: null },
})

test.each<['flat' | 'nested', Marker['state'] | null, Rollout | null, string]>([
  ['flat', null, null, 'flat'],
  ['flat', 'planned', null, 'planned'],
  ['flat', 'blocked', null, 'blocked'],
  ['flat', 'failed', null, 'failed'],
  // Made flat again, or imported again.
  ['flat', 'verified', null, 'flat'],
  ['flat', 'planned', rollout(), 'transforming'],
  ['flat', 'planned', rollout({ state: 'paused' }), 'planned'],
  ['flat', null, rollout({ next: 1 }), 'flat'],
  ['nested', null, null, 'healed'],
  ['nested', 'planned', null, 'healed'],
  ['nested', 'healed', rollout(), 'healed'],
  ['nested', 'verified', null, 'verified'],
  ['nested', 'failed', null, 'failed'],
])('a %s host marked %s has the right state', (layout, state, running, shown) => {
  expect(layoutStateOf(smallHost({ layout }), state && marker(state), running)).toBe(shown)
})
