import type { PowerAction } from '../../engine/power/request'
import { openRequest, requestPower } from '../../engine/power/request'
import { ranHere } from '../../engine/power/returned'
import type { InstanceId } from '../../engine/words/ids'
import { returnFenced } from './fencing'
import { actualStateOf, disagreement, type LawViolation } from './laws'
import type { Storm } from './storm'

// The end of a storm: hosts come back, migrations end, and then one action per host restarts everything that ran there.
// Crashes, shutdowns from inside and pauses are repaired one by one.

const ROUNDS = 400 // of 5 s
const ROUND_MS = 5_000

export async function settleStorm(
  storm: Storm,
  check: () => Promise<LawViolation | null>,
): Promise<LawViolation | null> {
  const { world } = storm
  for (const host of world.hosts) await world.fleet.setFault(host, { do: 'clear-faults' })
  await returnFenced(storm, true)
  for (const { id } of (await world.snapshot()).instances) await world.fleet.setDirtyRate(id, 0)
  const open = await untilQuiet(storm)
  if (open !== null) return open
  await cycleSome(storm)
  const broken = (await check()) ?? (await pressButtons(storm)) ?? (await check()) ?? (await mendOneByOne(storm))
  if (broken !== null) return broken
  return (await check()) ?? disagreement(await world.snapshot(), await world.fleet.everyCopy())
}

const BOOTED_MS = 30_000

/** The last outage, with no active migration: the action must restart what ran on these hosts. */
async function cycleSome({ world, chance, counts }: Storm): Promise<void> {
  for (const host of world.hosts) {
    if (chance.permille(300)) continue
    counts.powerCycles += 1
    await world.fleet.setFault(host, { do: 'power-cycle' })
  }
  await world.pass(BOOTED_MS)
}

async function untilQuiet({ world }: Storm): Promise<LawViolation | null> {
  for (let round = 0; round < ROUNDS; round++) {
    await world.pass(ROUND_MS)
    const { migrations, instances, hosts } = await world.snapshot()
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
async function pressButtons(storm: Storm): Promise<LawViolation | null> {
  const { world } = storm
  const copies = await world.fleet.everyCopy()
  const { instances } = await world.snapshot()
  const lost = instances.filter((row) => {
    const copy = copies.find((each) => each.instance === row.id && each.host === row.host)
    return row.vmState === 'active' && copy?.is === 'stopped' && !copy.reason
  })
  const pressed = await pressButton(storm)
  const missed = lost.find(({ id }) => !pressed.has(id))
  if (missed)
    return { law: 'one action per host restarts every instance that ran', what: `${missed.name} was not started` }
  const quiet = await untilQuiet(storm)
  if (quiet !== null) return quiet
  const now = await world.fleet.everyCopy()
  const still = lost.find(({ id, host }) => host !== null && actualStateOf(now, id, host) !== 'running')
  return still
    ? { law: 'one action per host restarts every instance that ran', what: `${still.name} is not running` }
    : null
}

/** The action, on every host: starts the instances that ran there before, and returns their ids. */
export async function pressButton(storm: Storm): Promise<ReadonlySet<InstanceId>> {
  const { world, counts } = storm
  const pressed = new Set<InstanceId>()
  for (const { id } of (await world.snapshot()).instances) {
    const ground = await world.instance(id)
    if (ground !== null && ranHere(ground) && (await ask(storm, id, 'start'))) pressed.add(id)
  }
  counts.button += pressed.size
  return pressed
}

async function mendOneByOne(storm: Storm): Promise<LawViolation | null> {
  const { world, counts } = storm
  const copies = await world.fleet.everyCopy()
  for (const { id, host, vmState } of (await world.snapshot()).instances) {
    if (host === null || (vmState !== 'active' && vmState !== 'paused')) continue
    const is = actualStateOf(copies, id, host)
    if (is === (vmState === 'active' ? 'running' : 'paused')) continue
    if (await ask(storm, id, is === 'off' ? 'start' : 'resume')) counts.single += 1
  }
  return untilQuiet(storm)
}

async function ask({ world }: Storm, id: InstanceId, action: PowerAction): Promise<boolean> {
  const ground = await world.instance(id)
  if (ground === null) return false
  const actor = { who: 'somebody', request: null, reason: 'the host is back' }
  const accepted = requestPower(ground, { action }, { actor, at: world.now() })
  return accepted.ok && accepted.change !== null && (await world.commit(accepted.change))
}
