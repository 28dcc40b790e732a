import { loadsSource } from '../migration/operations'
import type { HostId, InstanceId } from '../words/ids'
import type { DrainMove, Refusing } from './ask'
import { type Board, leaving, placeOf, taking } from './board'
import type { Desk, Option } from './desk'
import { refusingOf } from './refusing'
import type { Step } from './step'

// A plan is found as a row of single moves. Here those that need not wait for each other are put side by side, and each
// is asked again with both sides of all moves of its wave held, because that is how it will be (I4).

export interface Wave {
  readonly steps: readonly Step[]
}

/** Side by side where that works; one after the other where only that was proven to work. */
export function movesOf(desk: Desk, start: Board, steps: readonly Step[]): readonly DrainMove[] {
  const waves = sideBySide(desk, start, steps)
  const order = waves?.flatMap((wave) => wave.steps)
  if (!waves || !order || !replays(desk, start, order)) return inARow(desk, start, steps)
  const waits = waitsOf(desk, start, waves)
  return waves.flatMap((wave, number) =>
    wave.steps.map((step) => moveOf(desk, step, { wave: number + 1, after: waits.get(step) ?? [], start })),
  )
}

function inARow(desk: Desk, start: Board, steps: readonly Step[]): readonly DrainMove[] {
  return steps.map((step, at) => moveOf(desk, step, { wave: at + 1, after: at === 0 ? [] : [at - 1], start }))
}

interface WaveSlot {
  readonly wave: number
  readonly after: readonly number[]
  readonly start: Board
}

function moveOf(desk: Desk, step: Step, { wave, after, start }: WaveSlot): DrainMove {
  const { guest: id, from, to, method, plan, fits } = step
  const { amounts, cells, units } = plan
  const notLive = method === 'cold-migrate' ? whyNotLive(desk, start, step) : []
  const refusing = notLive.length === 0 ? null : refusingLive(desk, start, id)
  const helper = desk.guests.get(id)?.instance.host !== desk.ask.host
  const body = { amounts, cells, units }
  return { instance: id, from, to, method, helper, after, wave, fits, notLive, refusing, body }
}

function whyNotLive(desk: Desk, start: Board, { guest: id, to }: Step) {
  const guest = desk.guests.get(id)
  if (guest?.instance.vmState !== 'active' || guest.chosen === 'cold-migrate') return []
  const verdict = desk.verdict(start, { guest, method: 'live-migrate' }, to)
  return verdict && !verdict.ok ? verdict.refusals : []
}

/** One host's reason says nothing about the others: it is cold because none of them takes it live. */
function refusingLive(desk: Desk, start: Board, id: InstanceId): Refusing | null {
  const guest = desk.guests.get(id)
  if (guest === undefined) return null
  const others = desk.ask.hosts.filter((host) => host.id !== desk.ask.host && host.id !== placeOf(start, id))
  const verdicts = others.map((host) => desk.verdict(start, { guest, method: 'live-migrate' }, host.id))
  return refusingOf(verdicts.flatMap((verdict) => (verdict && !verdict.ok ? [verdict.refusals] : [])))
}

function sideBySide(desk: Desk, start: Board, steps: readonly Step[]): readonly Wave[] | null {
  const waves: Wave[] = []
  let board = start
  let rest = steps
  while (rest.length > 0) {
    const wave = nextWave(desk, board, rest)
    if (wave.length === 0) return null
    board = wave.reduce((on, step) => leaving(taking(on, step.guest, step.plan), step.guest, step.from), board)
    const begun = new Set(wave.map(({ was }) => was))
    rest = rest.filter((step) => !begun.has(step))
    waves.push({ steps: wave })
  }
  return waves
}

interface Begun extends Step {
  readonly was: Step
}

// Who waits keeps its place: nobody overtakes it to the same host or ahead of its own earlier move.
function nextWave(desk: Desk, start: Board, steps: readonly Step[]): readonly Begun[] {
  const begun: Begun[] = []
  const kept = { hosts: new Set<HostId>(), guests: new Set<InstanceId>() }
  let board = start
  for (const step of steps) {
    const free = !kept.hosts.has(step.to) && !kept.guests.has(step.guest) && hasSlot(desk, begun, step)
    const option = free ? optionFor(desk, board, step) : null
    if (option) {
      board = taking(board, step.guest, option.plan)
      begun.push({ ...step, plan: option.plan, was: step })
    } else {
      kept.hosts.add(step.to)
    }
    kept.guests.add(step.guest)
  }
  return begun
}

function hasSlot({ ask }: Desk, begun: readonly Step[], { from, to, method }: Step): boolean {
  const { perSource, perTarget, fleet } = ask.limits
  const count = (is: (step: Step) => boolean) => begun.filter(is).length
  if (begun.length >= fleet) return false
  if (count((step) => step.to === to) >= perTarget) return false
  return !loadsSource(method) || count((step) => step.from === from && loadsSource(step.method)) < perSource
}

/** The same way to the same host, as things stand now. */
function optionFor(desk: Desk, board: Board, { guest: id, to, method }: Step): Pick<Option, 'plan'> | null {
  const guest = desk.guests.get(id)
  const verdict = guest && desk.verdict(board, { guest, method }, to)
  return verdict?.ok ? verdict : null
}

/** Whether the order also works when each move ends before the next begins: a slow runner may do just that. */
function replays(desk: Desk, start: Board, steps: readonly Step[]): boolean {
  let board = start
  for (const step of steps) {
    const option = placeOf(board, step.guest) === step.from ? optionFor(desk, board, step) : null
    if (option === null) return false
    board = leaving(taking(board, step.guest, option.plan), step.guest, step.from)
  }
  return true
}

/** Who must have gone first: those whose leaving makes the room, told by asking with nobody gone yet. */
function waitsOf(desk: Desk, start: Board, waves: readonly Wave[]): ReadonlyMap<Step, readonly number[]> {
  const waits = new Map<Step, readonly number[]>()
  const earlier: Step[] = []
  let held = start
  for (const { steps } of waves) {
    const before = earlier.length
    for (const step of steps) {
      const option = optionFor(desk, held, step)
      const own = indexes(earlier.slice(0, before), (each) => each.guest === step.guest)
      const makers = option ? [] : indexes(earlier.slice(0, before), (each) => makesRoom(desk, each, step))
      const none = !option && makers.length === 0 && own.length === 0
      waits.set(
        step,
        none ? indexes(earlier.slice(0, before), () => true) : [...new Set([...own, ...makers])].sort(byNumber),
      )
      held = taking(held, step.guest, option?.plan ?? step.plan)
      earlier.push(step)
    }
  }
  return waits
}

const byNumber = (a: number, b: number) => a - b

function makesRoom({ guests }: Desk, earlier: Step, step: Step): boolean {
  if (earlier.from === step.to) return true
  const group = guests.get(step.guest)?.instance.group ?? null
  return group !== null && guests.get(earlier.guest)?.instance.group === group
}

function indexes(steps: readonly Step[], is: (step: Step) => boolean): readonly number[] {
  return steps.flatMap((step, at) => (is(step) ? [at] : []))
}
