import { describe, expect, test } from 'vitest'
import type { Finding } from '../../engine/audit'
import type { Instance } from '../../engine/change'
import { runInMemory } from './in-memory'
import { MemoryPowerFixture } from './memory-fixture'

// A small size of `npm run simulate -- --power`, and proof that it notices when the main laws are broken.

const SEEDS = 6
const MIGRATIONS = 8

async function firstBroken(fixture?: typeof MemoryPowerFixture): Promise<string | null> {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { broken } = await runInMemory(seed, MIGRATIONS, fixture)
    if (broken !== null) return broken.law
  }
  return null
}

describe('a run with power cuts', () => {
  test('finds every domain that is off, shows none of them as running, and restarts all by one action per host', async () => {
    expect(await firstBroken()).toBeNull()
  })

  // Of 10,000 runs these failed: an evacuation that was rolling back and the clean-up of its host waited for each
  // other; and an instance that was resized on a host and then migrated away left a copy behind.
  test.each([1608, 4675])('passes with the rare seed %i', async (seed) => {
    expect((await runInMemory(seed, 20)).broken).toBeNull()
  })

  test('detects an audit that overlooks instances that are off', async () => {
    class Blind extends MemoryPowerFixture {
      override audited = async (): Promise<readonly Finding[]> => []
    }
    expect(await firstBroken(Blind)).toBe('every wrong power state is found')
  })

  test('detects a list with outdated states', async () => {
    class Stale extends MemoryPowerFixture {
      override shown(row: Instance): Instance {
        const { power, ...rest } = super.shown(row)
        return power ? { ...rest, power: { ...power, state: 'running' } } : rest
      }
    }
    expect(await firstBroken(Stale)).toBe('no instance that is off is shown as running')
  })

  test('detects an action that leaves some instances out', async () => {
    class Forgetful extends MemoryPowerFixture {
      override shown(row: Instance): Instance {
        const { power, ...rest } = super.shown(row)
        return power ? { ...rest, power: { ...power, ranBefore: false } } : rest
      }
    }
    expect(await firstBroken(Forgetful)).toBe('one action per host restarts every instance that ran')
  })
})
