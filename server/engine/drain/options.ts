import { type ClaimPlan, decide, type Verdict } from '../claim'
import type { Demand } from '../demand'
import type { Host } from '../host'
import { memoize } from '../memoize'
import { operationRefusals } from '../migration/accept'
import { type MigrationQuestion, questionOf } from '../migration/question'
import type { Operation } from '../migration/state'
import { freeOf } from '../resources/inventory'
import { byRank, rankOf } from '../scheduler'
import { storageOn, withoutKeptAmounts } from '../storage/storage'
import { preparedOf } from '../topology/prepared'
import type { HostId, InstanceId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import { groupOn, hostOn, type Placements, placeOf } from './placements'
import type { DrainInput, DrainInstance } from './plan'

// The planner's access to `decide` (I7). It caches the verdicts, because the same shape is checked on the same host
// many times, and skips hosts that are certain to refuse.

export interface Option {
  readonly host: Host
  readonly method: Operation
  readonly plan: ClaimPlan
  readonly rank: readonly number[]
}

export interface OptionFinder {
  readonly input: DrainInput
  readonly instances: ReadonlyMap<InstanceId, DrainInstance>
  /** Instances that must leave, the hardest to place first. */
  readonly leaving: readonly DrainInstance[]
  /** Operations that can move the instance from its host, the least disruptive first. */
  methods(placements: Placements, instance: DrainInstance): readonly Operation[]
  /** Hosts that fit, best first; for each host only the least disruptive operation, unless `every` is set. */
  options(placements: Placements, instance: DrainInstance, how?: { readonly every?: boolean }): readonly Option[]
  optionOn(placements: Placements, instance: DrainInstance, host: HostId): Option | null
  verdict(
    placements: Placements,
    asking: { readonly instance: DrainInstance; readonly method: Operation },
    host: HostId,
  ): Verdict | null
  /** The input of `decide` for a migration of the instance; null when it has no demand. */
  question(placements: Placements, instance: DrainInstance, method: Operation): MigrationQuestion | null
  decisionCount(): number
}

export function makeOptionFinder(input: DrainInput): OptionFinder {
  const cache = makeVerdictCache(input)
  const free = memoize(freeAmounts)
  const optionFrom = (each: KeyedQuestion, method: Operation, host: Host): Option | null => {
    if (host.id === input.host || !mayFit(each.question, host, free(host))) return null
    const { verdict, rank } = cache.answer(each, host)
    return verdict.ok ? { host, method, plan: verdict.plan, rank } : null
  }
  return {
    input,
    instances: new Map(input.instances.map((instance) => [instance.record.id, instance])),
    leaving: input.instances.filter((instance) => instance.record.host === input.host),
    methods: (placements, instance) => methodsOf(input, placements, instance),
    options: (placements, instance, how) => {
      const found: Option[] = []
      const taken = new Set<HostId>()
      for (const method of methodsOf(input, placements, instance)) {
        const each = cache.keyedQuestion(placements, instance, method)
        if (each === null) continue
        for (const { id } of input.hosts) {
          if (taken.has(id)) continue
          const option = optionFrom(each, method, hostOn(placements, id))
          if (option === null) continue
          if (!how?.every) taken.add(id)
          found.push(option)
        }
      }
      return found.sort(gentlestFirst)
    },
    optionOn: (placements, instance, id) => {
      for (const method of methodsOf(input, placements, instance)) {
        const each = cache.keyedQuestion(placements, instance, method)
        const option = each && optionFrom(each, method, hostOn(placements, id))
        if (option) return option
      }
      return null
    },
    verdict: (placements, { instance, method }, id) => {
      const each = cache.keyedQuestion(placements, instance, method)
      return each && cache.answer(each, hostOn(placements, id)).verdict
    },
    question: questionFor,
    decisionCount: cache.decisionCount,
  }
}

interface VerdictCache {
  answer(keyed: KeyedQuestion, host: Host): Answer
  keyedQuestion(placements: Placements, instance: DrainInstance, method: Operation): KeyedQuestion | null
  decisionCount(): number
}

// Hosts are frozen values, so a verdict about a shape holds for as long as that value is among the placements. Two
// instances of one shape differ only by the requesting instance's own leftovers.
function makeVerdictCache({ policy }: DrainInput): VerdictCache {
  const answers = new Map<string, WeakMap<Host, Answer>>()
  const textOf = memoize((demand: Demand) => JSON.stringify(demand))
  let decisionCount = 0
  return {
    answer: ({ question, key }, host) => {
      decisionCount++
      const known = answers.get(key) ?? new WeakMap<Host, Answer>()
      answers.set(key, known)
      const own = question.instance !== null && host.leftovers.includes(question.instance)
      const found = own ? undefined : known.get(host)
      if (found) return found
      const verdict = decide({ ...question, host, prepared: preparedOf(host) })
      const rank = verdict.ok ? rankOf(question.group, { host, plan: verdict.plan }, policy) : []
      if (!own) known.set(host, { verdict, rank })
      return { verdict, rank }
    },
    keyedQuestion: (placements, instance, method) => {
      const question = questionFor(placements, instance, method)
      if (question === null) return null
      const { demand, live, group, excludedHost, driver, storage } = question
      return {
        question,
        key: `${textOf(demand)} ${JSON.stringify([live, group?.id, group?.memberHosts, excludedHost, driver, storage])}`,
      }
    },
    decisionCount: () => decisionCount,
  }
}

interface Answer {
  readonly verdict: Verdict
  readonly rank: readonly number[]
}

interface KeyedQuestion {
  readonly question: MigrationQuestion
  readonly key: string
}

function questionFor(placements: Placements, instance: DrainInstance, method: Operation): MigrationQuestion | null {
  const place = placeOf(placements, instance.record.id)
  if (instance.demand === null || place === null) return null
  const group = groupOn(placements, instance.record.group, instance.record.id)
  const source = hostOn(placements, place)
  const result = questionOf({ operation: method, instance: instance.record, source, demand: instance.demand, group })
  return result.ok ? result.question : null
}

/**
 * Operations that fallback, operator and instance state allow, the least disruptive first; empty when it cannot move.
 */
function methodsOf(ask: DrainInput, placements: Placements, instance: DrainInstance): readonly Operation[] {
  return operationsToTry(ask, placements, instance).filter(
    (method) => startRefusals(placements, instance, method).length === 0,
  )
}

/** The operations to try, whether or not the instance's state allows them now. */
export function operationsToTry(
  ask: DrainInput,
  placements: Placements,
  instance: DrainInstance,
): readonly Operation[] {
  const { chosen, record } = instance
  if (chosen === 'stay') return []
  const place = placeOf(placements, record.id)
  if (place === ask.host && ask.kind === 'evacuation') return ['evacuate']
  if (chosen !== null) return [chosen]
  // A cold migration does not disturb a stopped instance, so no fallback keeps it.
  if (record.vmState === 'stopped') return ['cold-migrate']
  return ask.fallback === 'cold' ? ['live-migrate', 'cold-migrate'] : ['live-migrate']
}

export function startRefusals(placements: Placements, instance: DrainInstance, method: Operation): readonly Refusal[] {
  const place = placeOf(placements, instance.record.id)
  const host = place === null ? null : hostOn(placements, place)
  return operationRefusals(method, {
    instance: { ...instance.record, host: place },
    host,
    activeMigration: instance.activeMigration,
  })
}

/** Hosts that a plan may use in their present state. */
export const takesClaims = ({ status, scheduling }: Host): boolean => status === 'up' && scheduling === 'enabled'

const GENTLENESS: readonly Operation[] = ['live-migrate', 'evacuate', 'cold-migrate']

function gentlestFirst(a: Option, b: Option): number {
  return GENTLENESS.indexOf(a.method) - GENTLENESS.indexOf(b.method) || byRank(a, b)
}

function freeAmounts(host: Host): ReadonlyMap<string, number> {
  const free = new Map<string, number>()
  for (const { inventories } of host.providers) {
    for (const each of inventories) {
      free.set(each.resourceClass, (free.get(each.resourceClass) ?? 0) + freeOf(each))
    }
  }
  return free
}

/** False only when `decide` would refuse for certain: no claim takes more of a class than is free on all providers. */
export function mayFit(
  question: MigrationQuestion,
  host: Host,
  free: ReadonlyMap<string, number> = freeAmounts(host),
): boolean {
  if (!takesClaims(host) || host.id === question.excludedHost) return false
  if (question.driver !== undefined && host.driver !== question.driver) return false
  const { zone } = question.demand.constraints
  const { keptAmounts } = storageOn(host, question.demand, question.storage)
  if (zone !== null && host.zone !== zone) return false
  return Object.entries(withoutKeptAmounts(question.demand, keptAmounts).amounts).every(
    ([name, amount]) => amount <= (free.get(name) ?? 0),
  )
}
