import type { PowerAction } from '../../engine/power/request'
import { openRequest, requestPower } from '../../engine/power/request'
import { ranHere } from '../../engine/power/returned'
import type { InstanceId } from '../../engine/words/ids'
import { returnFenced } from './fencing'
import { actualStateOf, disagreement, type LawViolation } from './laws'
import type { PowerRun } from './run'

// The end of a run: hosts come back, migrations end, and then one action per host restarts everything that ran there.
// Crashes, shutdowns from inside and pauses are repaired one by one.

const ROUNDS = 400 // of 5 s
const ROUND_MS = 5_000

export async function settlePower(
  run: PowerRun,
  check: () => Promise<LawViolation | null>,
): Promise<LawViolation | null> {
  const { fixture } = run
  for (const host of fixture.hosts) await fixture.fleet.setFault(host, { do: 'clear-faults' })
  await returnFenced(run, true)
  for (const { id } of (await fixture.snapshot()).instances) await fixture.fleet.setDirtyRate(id, 0)
  const open = await untilQuiet(run)
  if (open !== null) return open
  await cycleSome(run)
  const broken = (await check()) ?? (await pressButtons(run)) ?? (await check()) ?? (await restartOneByOne(run))
  if (broken !== null) return broken
  return (await check()) ?? disagreement(await fixture.snapshot(), await fixture.fleet.everyCopy())
}

const BOOTED_MS = 30_000

/** The last outage, with no active migration: the action must restart what ran on these hosts. */
async function cycleSome({ fixture, chance, counts }: PowerRun): Promise<void> {
  for (const host of fixture.hosts) {
    if (chance.permille(300)) continue
    counts.powerCycles += 1
    await fixture.fleet.setFault(host, { do: 'power-cycle' })
  }
  await fixture.pass(BOOTED_MS)
}

async function untilQuiet({ fixture }: PowerRun): Promise<LawViolation | null> {
  for (let round = 0; round < ROUNDS; round++) {
    await fixture.pass(ROUND_MS)
    const { migrations, instances, hosts } = await fixture.snapshot()
    const moving = migrations.find(({ step }) => step !== 'ended')
    const open = instances.find((row) => openRequest(row) !== null)
    const uncleaned = hosts.find(({ scheduling, leftovers }) => scheduling === 'quarantined' || leftovers.length > 0)
    if (moving === undefined && open === undefined && uncleaned === undefined) return null
    if (round < ROUNDS - 1) continue
    const what = moving
      ? `${moving.operation} in ${moving.step}: ${JSON.stringify(moving.waiting)}`
      : (open?.name ?? `leftovers on ${uncleaned?.name}`)
    return { law: 'everything in progress ends', what }
  }
  return null
}

/** The action must start every instance that stopped with its host, and each must run afterwards. */
async function pressButtons(run: PowerRun): Promise<LawViolation | null> {
  const { fixture } = run
  const copies = await fixture.fleet.everyCopy()
  const { instances } = await fixture.snapshot()
  const lost = instances.filter((row) => {
    const copy = copies.find((each) => each.instance === row.id && each.host === row.host)
    return row.vmState === 'active' && copy?.is === 'stopped' && !copy.reason
  })
  const pressed = await pressButton(run)
  const missed = lost.find(({ id }) => !pressed.has(id))
  if (missed)
    return { law: 'one action per host restarts every instance that ran', what: `${missed.name} was not started` }
  const quiet = await untilQuiet(run)
  if (quiet !== null) return quiet
  const now = await fixture.fleet.everyCopy()
  const still = lost.find(({ id, host }) => host !== null && actualStateOf(now, id, host) !== 'running')
  return still
    ? { law: 'one action per host restarts every instance that ran', what: `${still.name} is not running` }
    : null
}

/** The action, on every host: starts the instances that ran there before, and returns their ids. */
export async function pressButton(run: PowerRun): Promise<ReadonlySet<InstanceId>> {
  const { fixture, counts } = run
  const pressed = new Set<InstanceId>()
  for (const { id } of (await fixture.snapshot()).instances) {
    const view = await fixture.instance(id)
    if (view !== null && ranHere(view) && (await ask(run, id, 'start'))) pressed.add(id)
  }
  counts.button += pressed.size
  return pressed
}

async function restartOneByOne(run: PowerRun): Promise<LawViolation | null> {
  const { fixture, counts } = run
  const copies = await fixture.fleet.everyCopy()
  for (const { id, host, vmState } of (await fixture.snapshot()).instances) {
    if (host === null || (vmState !== 'active' && vmState !== 'paused')) continue
    const is = actualStateOf(copies, id, host)
    if (is === (vmState === 'active' ? 'running' : 'paused')) continue
    if (await ask(run, id, is === 'off' ? 'start' : 'resume')) counts.single += 1
  }
  return untilQuiet(run)
}

async function ask({ fixture }: PowerRun, id: InstanceId, action: PowerAction): Promise<boolean> {
  const view = await fixture.instance(id)
  if (view === null) return false
  const actor = { who: 'somebody', request: null, reason: 'the host is back' }
  const accepted = requestPower(view, { action }, { actor, at: fixture.now() })
  return accepted.ok && accepted.change !== null && (await fixture.commit(accepted.change))
}
