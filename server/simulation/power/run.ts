import { type ClaimPlan, decide } from '../../engine/claim'
import { demandOf } from '../../engine/demand'
import { startBuild } from '../../engine/lifecycle'
import type { ClaimId, InstanceId } from '../../engine/words/ids'
import { Chance } from '../chance'
import { DEMAND_OPTIONS, FLAVORS, IMAGES } from '../hardware'
import { MemoryStormFixture } from './memory-world'
import { runStorm, type StormReport, ZERO } from './storm'

// Power storms in memory: a seed is a whole run.

const LONG_STORM = 200

/** `World` is replaced by tests that break a law on purpose. */
export async function memoryStorm(seed: number, moves: number, World = MemoryStormFixture): Promise<StormReport> {
  const chance = new Chance(seed)
  // A long run needs spare hosts: those that are off, fenced or being cleaned up take no part.
  const more = moves >= LONG_STORM ? 3 : 1
  const world = new World((3 + chance.below(2)) * more)
  await populate(world, chance, (4 + chance.below(5)) * more)
  return runStorm(seed, { world, chance, counts: { ...ZERO } }, moves)
}

/** Builds up to `wanted` instances, each on the first host where it fits. */
async function populate(world: MemoryStormFixture, chance: Chance, wanted: number): Promise<void> {
  for (let n = 0; n < wanted; n++) {
    const flavor = FLAVORS[chance.below(FLAVORS.length)]
    const image = IMAGES[chance.below(IMAGES.length)]
    if (flavor === undefined || image === undefined) continue
    const id = world.newId<InstanceId>(5)
    const asked = demandOf(flavor, image, DEMAND_OPTIONS)
    if (!asked.ok) continue
    const plan = await planFor(world, { id, demand: asked.demand })
    if (plan === null) continue
    const row = { id, name: `vm${n}`, project: 'p', flavor, image, zone: null, group: null }
    const attribution = { actor: { who: 'somebody', request: null, reason: null }, at: world.now() }
    await world.commit(startBuild(row, { id: world.newId<ClaimId>(4), plan }, attribution))
    await world.pass(1_000)
  }
}

type ResolvedDemand = Extract<ReturnType<typeof demandOf>, { ok: true }>['demand']

async function planFor(
  world: MemoryStormFixture,
  of: { id: InstanceId; demand: ResolvedDemand },
): Promise<ClaimPlan | null> {
  for (const host of (await world.snapshot()).hosts) {
    const verdict = decide({ demand: of.demand, host, instance: of.id, group: null, live: null, excludedHost: null })
    if (verdict.ok) return verdict.plan
  }
  return null
}
