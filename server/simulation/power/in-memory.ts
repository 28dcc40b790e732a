import { type ClaimPlan, decide } from '../../engine/claim'
import { demandOf } from '../../engine/demand'
import { startBuild } from '../../engine/lifecycle'
import type { ClaimId, InstanceId } from '../../engine/words/ids'
import { Chance } from '../chance'
import { DEMAND_OPTIONS, FLAVORS, IMAGES } from '../hardware'
import { MemoryPowerFixture } from './memory-fixture'
import { type PowerReport, runPowerCuts, ZERO } from './run'

// Runs in memory: a seed is a whole run.

const LONG_RUN = 200

/** `Fixture` is replaced by tests that break a law on purpose. */
export async function runInMemory(
  seed: number,
  migrations: number,
  Fixture = MemoryPowerFixture,
): Promise<PowerReport> {
  const chance = new Chance(seed)
  // A long run needs spare hosts: those that are off, fenced or being cleaned up take no part.
  const more = migrations >= LONG_RUN ? 3 : 1
  const fixture = new Fixture((3 + chance.below(2)) * more)
  await populate(fixture, chance, (4 + chance.below(5)) * more)
  return runPowerCuts(seed, { fixture, chance, counts: { ...ZERO } }, migrations)
}

/** Builds up to `wanted` instances, each on the first host where it fits. */
async function populate(fixture: MemoryPowerFixture, chance: Chance, wanted: number): Promise<void> {
  for (let n = 0; n < wanted; n++) {
    const flavor = FLAVORS[chance.below(FLAVORS.length)]
    const image = IMAGES[chance.below(IMAGES.length)]
    if (flavor === undefined || image === undefined) continue
    const id = fixture.newId<InstanceId>(5)
    const result = demandOf(flavor, image, DEMAND_OPTIONS)
    if (!result.ok) continue
    const plan = await planFor(fixture, { id, demand: result.demand })
    if (plan === null) continue
    const row = { id, name: `vm${n}`, project: 'p', flavor, image, zone: null, group: null }
    const attribution = { actor: { who: 'somebody', request: null, reason: null }, at: fixture.now() }
    await fixture.commit(startBuild(row, { id: fixture.newId<ClaimId>(4), plan }, attribution))
    await fixture.pass(1_000)
  }
}

type ResolvedDemand = Extract<ReturnType<typeof demandOf>, { ok: true }>['demand']

async function planFor(
  fixture: MemoryPowerFixture,
  of: { id: InstanceId; demand: ResolvedDemand },
): Promise<ClaimPlan | null> {
  for (const host of (await fixture.snapshot()).hosts) {
    const verdict = decide({ demand: of.demand, host, instance: of.id, group: null, live: null, excludedHost: null })
    if (verdict.ok) return verdict.plan
  }
  return null
}
