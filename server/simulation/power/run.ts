import type { InstanceView } from '../../conductor/effects'
import type { SimulatedFleet } from '../../drivers/simulated/driver'
import type { Finding, Snapshot } from '../../engine/audit'
import type { Change, Instance } from '../../engine/change'
import type { Flavor } from '../../engine/demand'
import { accept } from '../../engine/migration/accept'
import { POWER_ACTIONS, requestPower } from '../../engine/power/request'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { Chance } from '../chance'
import { IMAGES } from '../hardware'
import { fenceOne, returnFenced } from './fencing'
import { atSurvey, type LawViolation } from './laws'
import { pressButton, settlePower } from './settle'

// One seed of the power run: instances migrate, crash and are started, stopped and paused; hosts lose power, come
// back, are fenced, evacuated and cleaned up; servers die. The power laws are checked after every survey. Then all
// faults stop and one action per host restarts everything.

/** Records, hypervisors and conductors on one clock, in memory or on PostgreSQL. */
export interface PowerFixture {
  readonly fleet: SimulatedFleet
  readonly hosts: readonly HostId[]
  now(): number
  /** Advances the clock and runs what falls due. */
  pass(ms: number): Promise<void>
  /** Surveys every host while nothing else happens. */
  survey(): Promise<void>
  commit(change: Change): Promise<boolean>
  instance(id: InstanceId): Promise<InstanceView | null>
  /** The records, with the power state shown for each instance. */
  snapshot(): Promise<Snapshot>
  audited(): Promise<readonly Finding[]>
  newMigration(): MigrationId
  /** Flavors for resizes. */
  readonly flavors: readonly Flavor[]
  /** Kills the server during its next work; another one continues when its leases expire. False: not supported. */
  killServer(): boolean
}

export interface PowerRun {
  readonly fixture: PowerFixture
  readonly chance: Chance
  readonly counts: Counts
}

export interface Counts {
  migrations: number
  powerCycles: number
  surveys: number
  /** Instances in another state than running although recorded active, summed over surveys. */
  off: number
  requests: number
  resizes: number
  fences: number
  evacuations: number
  kills: number
  /** Instances started by the action on their host, and instances started or resumed one by one. */
  button: number
  single: number
}

export const ZERO: Counts = {
  ...{ migrations: 0, resizes: 0, evacuations: 0, powerCycles: 0, fences: 0, kills: 0 },
  ...{ surveys: 0, off: 0, requests: 0, button: 0, single: 0 },
}

export interface PowerReport extends Counts {
  readonly seed: number
  readonly broken: LawViolation | null
}

const WHO = { who: 'somebody', request: null, reason: null } as const

const ACTION_WEIGHTS = {
  ...{ move: 14, cycle: 2, kill: 1, return: 4, silent: 1, fence: 1, clean: 2 },
  ...{ crash: 1, inside: 1, power: 4, button: 2, 'kill-server': 2 },
} as const

export async function runPowerCuts(seed: number, run: PowerRun, migrations: number): Promise<PowerReport> {
  const { fixture, chance, counts } = run
  const most = migrations * 20
  let broken: LawViolation | null = null
  for (let round = 0; broken === null && counts.migrations < migrations && round < most; round++) {
    await ACTIONS[chance.weighted(ACTION_WEIGHTS)](run)
    await fixture.pass(100 + chance.below(6_000))
    if (chance.permille(350)) broken = await surveyAndCheck(run)
  }
  broken ??= await settlePower(run, () => surveyAndCheck(run))
  return { seed, ...counts, broken }
}

async function surveyAndCheck({ fixture, counts }: PowerRun): Promise<LawViolation | null> {
  await fixture.survey()
  counts.surveys += 1
  const seen = await atSurvey(fixture)
  counts.off += seen.off
  return seen.broken
}

const ACTIONS: { readonly [A in keyof typeof ACTION_WEIGHTS]: (run: PowerRun) => Promise<void> } = {
  move: begin,
  cycle: hostFault('power-cycle'),
  kill: hostFault('kill'),
  return: hostFault('return'),
  silent: hostFault('go-silent'),
  fence: fenceOne,
  clean: (run) => returnFenced(run),
  button: async (run) => {
    await pressButton(run)
  },
  'kill-server': async ({ fixture, counts }) => {
    if (fixture.killServer()) counts.kills += 1
  },
  crash: guestFault('crash'),
  inside: guestFault('shut-down'),
  power: async ({ fixture, chance, counts }) => {
    const view = await anyInstance(fixture, chance)
    const action = chance.pick(POWER_ACTIONS)
    if (view === null || action === undefined) return
    const accepted = requestPower(view, { action, hard: chance.permille(300) }, { actor: WHO, at: fixture.now() })
    if (accepted.ok && accepted.change !== null && (await fixture.commit(accepted.change))) counts.requests += 1
  },
}

const LOSES_POWER: ReadonlySet<string> = new Set(['power-cycle', 'kill'])

/** Injects a fault into a host that is marked as up. Fenced hosts come back only by `returnFenced`. */
function hostFault(fault: 'power-cycle' | 'kill' | 'return' | 'go-silent') {
  return async ({ fixture, chance, counts }: PowerRun): Promise<void> => {
    const host = chance.pick((await fixture.snapshot()).hosts.filter(({ status }) => status === 'up'))
    if (host === undefined) return
    if (LOSES_POWER.has(fault)) counts.powerCycles += 1
    await fixture.fleet.setFault(host.id, { do: fault })
  }
}

function guestFault(fault: 'crash' | 'shut-down') {
  return async ({ fixture, chance }: PowerRun): Promise<void> => {
    const view = await anyInstance(fixture, chance)
    if (view !== null && view.activeMigration === null) await fixture.fleet.setGuestFault(view.instance.id, fault)
  }
}

async function anyInstance(fixture: PowerFixture, chance: Chance): Promise<InstanceView | null> {
  const picked: Instance | undefined = chance.pick((await fixture.snapshot()).instances)
  return picked ? fixture.instance(picked.id) : null
}

async function begin({ fixture, chance, counts }: PowerRun): Promise<void> {
  const view = await anyInstance(fixture, chance)
  if (view === null) return
  const operation = chance.weighted({ 'live-migrate': 6, 'cold-migrate': 3, resize: 3, rebuild: 1 })
  const newImage = operation === 'rebuild' ? (chance.pick(IMAGES) ?? null) : null
  const newFlavor = operation === 'resize' ? (chance.pick(fixture.flavors) ?? null) : null
  const accepted = accept(
    view,
    { operation, target: null, newFlavor, newImage },
    { id: fixture.newMigration(), sameDemand: () => true, confirmWindowMs: 5_000, actor: WHO, at: fixture.now() },
  )
  if (!accepted.ok || !(await fixture.commit(accepted.change))) return
  counts.migrations += 1
  if (operation === 'resize') counts.resizes += 1
}
