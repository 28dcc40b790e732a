import { describe, expect, test } from 'vitest'
import { hostId, smallHost } from '../testing/hosts'
import { layoutStateOf, type Marker } from './marker'
import { advanced, failedAt, isOpen, newWave, steered, type Wave, type WaveSteer, waveHost } from './wave'

const wave = (set: Partial<Wave> = {}): Wave => ({
  ...newWave({ id: 'w', hosts: [hostId(1), hostId(2)], by: 'ann', reason: 'because', at: 1 }),
  ...set,
})

describe('a rollout', () => {
  test('converts host after host and is done after the last', () => {
    const second = advanced(wave(), 'healed')
    expect([waveHost(wave()), waveHost(second)]).toEqual([hostId(1), hostId(2)])
    expect(advanced(second, 'blocked')).toMatchObject({ state: 'done', next: 2, healed: 1, blocked: 1, skipped: 0 })
    expect(waveHost(advanced(second, 'blocked'))).toBeNull()
    expect(newWave({ ...wave(), hosts: [] }).state).toBe('done')
  })

  test('that failed stays at its host and is open until it is stopped', () => {
    const failed = failedAt(wave(), hostId(1), 'it broke')
    expect(failed).toMatchObject({ state: 'stopped', failed: hostId(1), why: 'it broke', next: 0 })
    expect(isOpen(failed)).toBe(true)
    expect(steered(failed, 'resume')).toMatchObject({ state: 'running', failed: null, why: null, next: 0 })
    expect(isOpen(steered(failed, 'stop') as Wave)).toBe(false)
  })

  test.each<[Partial<Wave>, WaveSteer, object]>([
    [{}, 'pause', { state: 'paused' }],
    [{}, 'resume', { why: 'The rollout is already running.' }],
    [{}, 'stop', { state: 'stopped', failed: null }],
    [{ state: 'paused' }, 'pause', { why: 'The rollout is paused already.' }],
    [{ state: 'paused' }, 'resume', { state: 'running' }],
    [{ state: 'done' }, 'resume', { why: 'The rollout is done.' }],
    [{ state: 'stopped' }, 'resume', { why: 'The rollout is stopped.' }],
  ])('%j on %s ends as expected', (set, steer, after) => {
    expect(steered(wave(set), steer)).toMatchObject(after)
  })
})

const marker = (state: Marker['state']): Marker => ({
  ...{ host: hostId(1), state, why: null, by: 'ann', at: 1, version: 1, wave: null },
})

test.each<['flat' | 'nested', Marker['state'] | null, Wave | null, string]>([
  ['flat', null, null, 'flat'],
  ['flat', 'planned', null, 'planned'],
  ['flat', 'blocked', null, 'blocked'],
  ['flat', 'failed', null, 'failed'],
  // Made flat again, or imported again.
  ['flat', 'verified', null, 'flat'],
  ['flat', 'planned', wave(), 'transforming'],
  ['flat', 'planned', wave({ state: 'paused' }), 'planned'],
  ['flat', null, wave({ next: 1 }), 'flat'],
  ['nested', null, null, 'healed'],
  ['nested', 'planned', null, 'healed'],
  ['nested', 'healed', wave(), 'healed'],
  ['nested', 'verified', null, 'verified'],
  ['nested', 'failed', null, 'failed'],
])('a %s host marked %s has the right state', (layout, state, running, shown) => {
  expect(layoutStateOf(smallHost({ layout }), state && marker(state), running)).toBe(shown)
})
