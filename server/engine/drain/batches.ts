import { loadsSource } from '../migration/operations'
import type { HostId, InstanceId } from '../words/ids'
import type { Option, OptionFinder } from './options'
import { afterClaim, afterMigration, type Placements, placeOf } from './placements'
import type { DrainMigration, RefusalCounts } from './plan'
import { refusingOf } from './refusing'
import type { Step } from './step'

// A plan is found as a sequence of single migrations. Here independent ones are made parallel, and each is decided
// again with both sides of all migrations of its batch held, because that is how it will be (I4).

export interface Batch {
  readonly steps: readonly Step[]
}

/** Parallel if proven to fit; otherwise one after the other. */
export function migrationsOf(
  finder: OptionFinder,
  start: Placements,
  steps: readonly Step[],
): readonly DrainMigration[] {
  const batches = sideBySide(finder, start, steps)
  const order = batches?.flatMap((batch) => batch.steps)
  if (!batches || !order || !replays(finder, start, order)) return inARow(finder, start, steps)
  const waits = waitsOf(finder, start, batches)
  return batches.flatMap((batch, number) =>
    batch.steps.map((step) => migrationOf(finder, step, { wave: number + 1, after: waits.get(step) ?? [], start })),
  )
}

function inARow(finder: OptionFinder, start: Placements, steps: readonly Step[]): readonly DrainMigration[] {
  return steps.map((step, at) => migrationOf(finder, step, { wave: at + 1, after: at === 0 ? [] : [at - 1], start }))
}

interface BatchSlot {
  readonly wave: number
  readonly after: readonly number[]
  readonly start: Placements
}

function migrationOf(finder: OptionFinder, step: Step, { wave, after, start }: BatchSlot): DrainMigration {
  const { instance: id, from, to, method, plan, fits } = step
  const { amounts, cells, units } = plan
  const notLive = method === 'cold-migrate' ? whyNotLive(finder, start, step) : []
  const refusing = notLive.length === 0 ? null : refusingLive(finder, start, id)
  const helper = finder.instances.get(id)?.record.host !== finder.input.host
  const body = { amounts, cells, units }
  return { instance: id, from, to, method, helper, after, wave, fits, notLive, refusing, body }
}

function whyNotLive(finder: OptionFinder, start: Placements, { instance: id, to }: Step) {
  const instance = finder.instances.get(id)
  if (instance?.record.vmState !== 'active' || instance.chosen === 'cold-migrate') return []
  const verdict = finder.verdict(start, { instance, method: 'live-migrate' }, to)
  return verdict && !verdict.ok ? verdict.refusals : []
}

/** The migration is cold because no host accepts it live, so one host's reason is not enough. */
function refusingLive(finder: OptionFinder, start: Placements, id: InstanceId): RefusalCounts | null {
  const instance = finder.instances.get(id)
  if (instance === undefined) return null
  const others = finder.input.hosts.filter((host) => host.id !== finder.input.host && host.id !== placeOf(start, id))
  const verdicts = others.map((host) => finder.verdict(start, { instance, method: 'live-migrate' }, host.id))
  return refusingOf(verdicts.flatMap((verdict) => (verdict && !verdict.ok ? [verdict.refusals] : [])))
}

function sideBySide(finder: OptionFinder, start: Placements, steps: readonly Step[]): readonly Batch[] | null {
  const batches: Batch[] = []
  let placements = start
  let rest = steps
  while (rest.length > 0) {
    const batch = nextBatch(finder, placements, rest)
    if (batch.length === 0) return null
    placements = batch.reduce((on, step) => afterMigration(on, step.instance, step.plan), placements)
    const begun = new Set(batch.map(({ was }) => was))
    rest = rest.filter((step) => !begun.has(step))
    batches.push({ steps: batch })
  }
  return batches
}

interface BatchStep extends Step {
  readonly was: Step
}

// A waiting migration keeps its place: no other overtakes it to the same host or ahead of its own earlier migration.
function nextBatch(finder: OptionFinder, start: Placements, steps: readonly Step[]): readonly BatchStep[] {
  const begun: BatchStep[] = []
  const kept = { hosts: new Set<HostId>(), instances: new Set<InstanceId>() }
  let placements = start
  for (const step of steps) {
    const free = !kept.hosts.has(step.to) && !kept.instances.has(step.instance) && hasSlot(finder, begun, step)
    const option = free ? optionFor(finder, placements, step) : null
    if (option) {
      placements = afterClaim(placements, step.instance, option.plan)
      begun.push({ ...step, plan: option.plan, was: step })
    } else {
      kept.hosts.add(step.to)
    }
    kept.instances.add(step.instance)
  }
  return begun
}

function hasSlot({ input }: OptionFinder, begun: readonly Step[], { from, to, method }: Step): boolean {
  const { perSource, perTarget, fleet } = input.limits
  const count = (is: (step: Step) => boolean) => begun.filter(is).length
  if (begun.length >= fleet) return false
  if (count((step) => step.to === to) >= perTarget) return false
  return !loadsSource(method) || count((step) => step.from === from && loadsSource(step.method)) < perSource
}

/** The same operation to the same host, in the present placements. */
function optionFor(
  finder: OptionFinder,
  placements: Placements,
  { instance: id, to, method }: Step,
): Pick<Option, 'plan'> | null {
  const instance = finder.instances.get(id)
  const verdict = instance && finder.verdict(placements, { instance, method }, to)
  return verdict?.ok ? verdict : null
}

/** True when the order also fits if each migration ends before the next begins, as in a slow run. */
function replays(finder: OptionFinder, start: Placements, steps: readonly Step[]): boolean {
  let placements = start
  for (const step of steps) {
    const option = placeOf(placements, step.instance) === step.from ? optionFor(finder, placements, step) : null
    if (option === null) return false
    placements = afterMigration(placements, step.instance, option.plan)
  }
  return true
}

/** The migrations that must end first: those that make the room, found by deciding without any of them. */
function waitsOf(
  finder: OptionFinder,
  start: Placements,
  batches: readonly Batch[],
): ReadonlyMap<Step, readonly number[]> {
  const waits = new Map<Step, readonly number[]>()
  const earlier: Step[] = []
  let held = start
  for (const { steps } of batches) {
    const before = earlier.length
    for (const step of steps) {
      const option = optionFor(finder, held, step)
      const own = indexes(earlier.slice(0, before), (each) => each.instance === step.instance)
      const makers = option ? [] : indexes(earlier.slice(0, before), (each) => makesRoom(finder, each, step))
      const none = !option && makers.length === 0 && own.length === 0
      waits.set(
        step,
        none ? indexes(earlier.slice(0, before), () => true) : [...new Set([...own, ...makers])].sort(byNumber),
      )
      held = afterClaim(held, step.instance, option?.plan ?? step.plan)
      earlier.push(step)
    }
  }
  return waits
}

const byNumber = (a: number, b: number) => a - b

function makesRoom({ instances }: OptionFinder, earlier: Step, step: Step): boolean {
  if (earlier.from === step.to) return true
  const group = instances.get(step.instance)?.record.group ?? null
  return group !== null && instances.get(earlier.instance)?.record.group === group
}

function indexes(steps: readonly Step[], is: (step: Step) => boolean): readonly number[] {
  return steps.flatMap((step, at) => (is(step) ? [at] : []))
}
