import { type RecordSnapshot, readSnapshot } from '../../store/audit/records'
import type { LawViolation } from '../laws'
import type { PostgresFixture } from './fixture'
import { holdsAtRest, unfinished } from './laws'

// The end of a run: faults stop, hosts return, statuses are set, waiting migrations are confirmed or reverted. Then
// everything must finish without help, within a time limit.

const REST_WITHIN_MS = 40_000 // real time; a few seconds are enough unless something never ends
const POLL_INTERVAL_MS = 40

export async function settle(fixture: PostgresFixture): Promise<LawViolation | null> {
  const deadline = Date.now() + REST_WITHIN_MS
  for (const host of fixture.hosts) await fixture.fleet.setFault(host.id, { do: 'clear-faults' })
  for (let polls = 1; ; polls++) {
    const open = await decideAll(fixture)
    if (open === null) break
    if (Date.now() > deadline) return { law: open.law, what: `after ${polls} polls: ${open.what}` }
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS))
  }
  await recover(fixture)
  return holdsAtRest(fixture)
}

/** Marks hosts as what they are, confirms or reverts what waits for it, and returns what is still open. */
async function decideAll(fixture: PostgresFixture): Promise<LawViolation | null> {
  const snapshot = await readSnapshot(fixture.database)
  for (const host of snapshot.hosts) {
    const { power } = await fixture.fleet.status(host.id)
    if (power === 'running') await fixture.operators.setStatus(host.id, 'up')
    else if (power === 'gone') await fixture.operators.setStatus(host.id, 'lost')
  }
  for (const { id, step, instance } of snapshot.migrations) {
    if (step === 'verify')
      await fixture.operators.requestAction(id, fixture.chance.permille(500) ? 'confirm' : 'revert')
    if (step === 'transfer') await fixture.fleet.setDirtyRate(instance, 0)
  }
  // The statuses set above change the records, so read them again.
  const after = await readSnapshot(fixture.database)
  return unfinished(after) ?? away(after)
}

/** A host that still boots or has not answered yet has clean-up to do, so the fleet is not at rest. */
function away({ hosts }: RecordSnapshot): LawViolation | null {
  const host = hosts.find(({ status }) => status !== 'up' && status !== 'lost')
  return host ? { law: 'every host returns or is permanently lost', what: `${host.name} is ${host.status}` } : null
}

/** Restarts the domains that stopped with their host, as an operator would after an outage. */
async function recover({ database, fleet }: PostgresFixture): Promise<void> {
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
