import { type RecordSnapshot, readSnapshot } from '../../store/audit/records'
import type { Broken } from '../laws'
import { holdsAtRest, unfinished } from './laws'
import type { PostgresWorld } from './world'

// The end of a run: faults stop, hosts return, statuses are set, people decide. Then everything must come to its end
// by itself, within a bound.

const REST_WITHIN_MS = 40_000 // of our time; some seconds are enough unless something turns for ever
const LOOK_EVERY_MS = 40

export async function settle(world: PostgresWorld): Promise<Broken | null> {
  const deadline = Date.now() + REST_WITHIN_MS
  for (const host of world.hosts) await world.fleet.setFault(host.id, { do: 'clear-faults' })
  for (let looks = 1; ; looks++) {
    const open = await decideAll(world)
    if (open === null) break
    if (Date.now() > deadline) return { law: open.law, what: `after ${looks} looks ${open.what}` }
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
  await recover(world)
  return holdsAtRest(world)
}

/** States what is true and decides what waits for a person; answers what is still open. */
async function decideAll(world: PostgresWorld): Promise<Broken | null> {
  const books = await readSnapshot(world.database)
  for (const host of books.hosts) {
    const { power } = await world.fleet.status(host.id)
    if (power === 'running') await world.people.state(host.id, 'up')
    else if (power === 'gone') await world.people.state(host.id, 'lost')
  }
  for (const { id, step, instance } of books.migrations) {
    if (step === 'verify') await world.people.requestAction(id, world.chance.permille(500) ? 'confirm' : 'revert')
    if (step === 'transfer') await world.fleet.setDirtyRate(instance, 0)
  }
  // What was stated just now has its own consequences, so the records are read again.
  const after = await readSnapshot(world.database)
  return unfinished(after) ?? away(after)
}

/** A host that boots, or of which nobody was heard yet, still has what it shall clean up: that is no rest. */
function away({ hosts }: RecordSnapshot): Broken | null {
  const host = hosts.find(({ status }) => status !== 'up' && status !== 'lost')
  return host ? { law: 'every host returns or is gone', what: `${host.name} is ${host.status}` } : null
}

/** Starts again what stopped with its host, as an operator would after an outage. */
async function recover({ database, fleet }: PostgresWorld): Promise<void> {
  const { instances, hosts } = await readSnapshot(database)
  const copies = await fleet.everyCopy()
  for (const { id, name, flavor, image, generation, host, vmState } of instances) {
    const home = hosts.find((each) => each.id === host)
    const stopped = copies.some((copy) => copy.instance === id && copy.is === 'running') === false
    const claim = home?.holdings.find((holding) => holding.consumer === id)?.body
    if (!stopped || vmState !== 'active' || !home || home.status !== 'up' || !claim) continue
    await fleet.build({ instance: id, name, host: home.id, flavor, image, claim, fence: generation })
  }
}
