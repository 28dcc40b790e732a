import { describe, expect, test } from 'vitest'
import type { EffectName } from '../conductor/effects'
import { operationRow } from '../engine/migration/operations'
import { type Migration, OPERATIONS, type Operation, STEPS, type Step } from '../engine/migration/state'
import type { InstanceId, MigrationId } from '../engine/words/ids'
import type { Fault } from './faults'
import { FLAVORS, hostId, IMAGES } from './hardware'
import { type FaultAt, ScriptedScenario } from './scripted-scenario'

// Every operation × every step × every fault of an effect, forward and while rolling back. Each migration must end with
// nothing left over. The scenario checks the laws after every effect.

const EFFECT_OF: { readonly [S in Exclude<Step, 'ended'>]: EffectName } = {
  claim: 'commit',
  prepare: 'prepare',
  transfer: 'transfer',
  switch: 'runAt',
  verify: 'commit',
  release: 'clean',
}

const TESTED_FAULTS = ['fail', 'lose-answer', 'crash-before', 'crash-after'] as const satisfies readonly Fault[]
const WAYS = ['there', 'back'] as const
type Direction = (typeof WAYS)[number]

const ACTED_STEPS = STEPS.filter((step) => step !== 'ended')

interface Case {
  readonly operation: Operation
  readonly step: Exclude<Step, 'ended'>
  readonly way: Direction
  readonly fault: Fault
}

const CASES: readonly Case[] = OPERATIONS.flatMap((operation) =>
  WAYS.flatMap((way) =>
    ACTED_STEPS.filter((step) => reaches(operation, way, step)).flatMap((step) =>
      TESTED_FAULTS.map((fault) => ({ operation, step, way, fault })),
    ),
  ),
)

/** Whether a migration in this direction passes the step. An abort rolls back at the last step that allows it. */
function reaches(operation: Operation, way: Direction, step: Step): boolean {
  const { verify, abortWhile } = operationRow(operation)
  if (way === 'there' || verify) return step !== 'verify' || verify
  const last = abortWhile.at(-1)!
  if (STEPS.indexOf(step) <= STEPS.indexOf(last)) return true
  return last !== 'claim' && (step === 'switch' || step === 'release')
}

describe('every operation × every step × every fault leaves nothing behind', () => {
  test.each(CASES)('$operation, $way: $step, $fault', ({ operation, step, way, fault }) => {
    const { scenario, id, instance } = begin(operation)
    const one = once(effectAt(operation, way, step), step, fault)
    const { faults, happened } = one
    if (way === 'back') turnBack(scenario, id, one)
    let migration = scenario.carry(id, { faults })
    if (migration.step === 'verify') {
      scenario.requestAction(id, way === 'back' ? 'revert' : 'confirm')
      migration = scenario.carry(id, { faults })
    }
    expect(happened()).toBe(true)
    expect(migration.step).toBe('ended')
    expect(endsLike(migration)).toBe(true)
    if (operation !== 'unshelve' || migration.outcome === 'completed') {
      expect(scenario.instance(instance).host).not.toBeNull()
    }
    scenario.checkRest()
  })
})

/** Whether outcome and current host agree. */
const endsLike = ({ outcome, home }: Migration) => (outcome === 'completed') === (home === 'target')

function begin(operation: Operation): { scenario: ScriptedScenario; id: MigrationId; instance: InstanceId } {
  const scenario = new ScriptedScenario()
  const instance = scenario.build(FLAVORS.find(({ name }) => name === 'pinned2')!, hostId(1))
  const row = operationRow(operation)
  if (operation === 'unshelve') scenario.shelve(instance)
  if (operation === 'evacuate') scenario.event('fence', hostId(1))
  const id = scenario.move(instance, operation, {
    newFlavor: row.changes === 'flavor' ? FLAVORS.find(({ name }) => name === 'pinned4')! : null,
    newImage: row.changes === 'image' ? IMAGES[1]! : null,
  })
  return { scenario, id, instance }
}

/** Requests an abort at the last step that allows one. An operation with `verify` is reverted later instead. */
function turnBack(scenario: ScriptedScenario, id: MigrationId, { faults, happened, step }: OneFault): void {
  const { abortWhile, verify } = operationRow(scenario.migration(id).operation)
  if (verify) return
  const last = abortWhile.at(-1)!
  if (last !== 'claim') {
    // A fault in this step must happen before the step is aborted.
    const due = (migration: Migration) => migration.step === last && (happened() || step !== last)
    scenario.carry(id, { faults, hold: true, until: due })
  }
  if (scenario.migration(id).step === last) scenario.requestAction(id, 'abort')
}

/** Without a usable source host no operation is sent to it; the effect is then `locate`, or the commit. */
function effectAt(operation: Operation, way: Direction, step: Exclude<Step, 'ended'>): EffectName {
  const { source } = operationRow(operation)
  const noSource = source === 'fenced' || source === 'none'
  if (noSource && way === 'back' && step === 'switch') return 'locate'
  if (noSource && way === 'there' && step === 'release') return 'commit'
  return EFFECT_OF[step]
}

interface OneFault {
  readonly step: Step
  readonly faults: FaultAt
  readonly happened: () => boolean
}

/** Injects the fault once, into the first such effect of that step. */
function once(name: EffectName, step: Step, fault: Fault): OneFault {
  let happened = false
  const faults: FaultAt = (effect, migration) => {
    if (happened || migration?.step !== step || effect.name !== name) return null
    happened = true
    return fault
  }
  return { step, faults, happened: () => happened }
}
