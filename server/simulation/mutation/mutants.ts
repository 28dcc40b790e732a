import type { Effect, Effects } from '../../conductor/effects'
import type { Change, Write } from '../../engine/change'
import { type AppliedChange, apply } from '../../engine/ledger/apply'
import type { LedgerDraft } from '../../engine/ledger/ledger'
import type { Migration, Side } from '../../engine/migration/state'
import type { MigrationId } from '../../engine/words/ids'
import { MemoryLedger } from '../ledger/in-memory'
import type { Mutation } from '../run'

// The mutation check: breaks each law on purpose, from outside, between the ticks and their surroundings. A simulation
// that does not notice would be worthless.

export interface Mutant {
  readonly law: string
  readonly breaks: string
  /** Called once per seed, because some mutations keep state. */
  readonly make: () => Mutation
  /** Noticed only when a row is false, so it is tried in runs with one corrupted row. */
  readonly corrupted?: true
}

export const MUTANTS: readonly Mutant[] = [
  {
    law: 'L1',
    breaks: 'the instance holds the claims of both sides',
    make: () => rewriting((writes) => (has(writes, 'take') ? writes.filter(not('exchange')) : writes)),
  },
  {
    law: 'L1',
    breaks: 'the migration holds the claim on the target',
    make: () => rewriting((writes) => writes.map(takenByMigration(writes))),
  },
  {
    law: 'L2',
    breaks: 'a rollback does not exchange the claims again',
    make: () => rewriting((writes) => (has(writes, 'take') ? writes : writes.filter(not('exchange')))),
  },
  { law: 'L3', breaks: 'the end releases no claim', make: () => rewriting((writes) => writes.filter(not('release'))) },
  {
    law: 'L3',
    breaks: 'the claim of the other side is released at the switch, before its clean-up',
    make: () => rewriting(releaseEarly),
  },
  { law: 'L4', breaks: 'a repeated clean-up fails', make: cleansOnce },
  { law: 'L4', breaks: 'a clean-up also removes what the migration did not create', make: cleansByInstance },
  { law: 'L5', breaks: 'an abort assumes that it was in time', make: abortBeatsFacts },
  { law: 'L6', breaks: 'the switch does not observe the domains', make: neverObserves },
  { law: 'L6', breaks: 'no answer is taken as absent', make: silentIsNowhere },
  { law: 'L7', breaks: 'acquiring the lease raises no fence', make: () => ({ ledger: LaxLedger }) },
  { law: 'L7', breaks: 'hosts accept driver operations with an older fence', make: ignoresFences },
  { law: 'proof', breaks: 'rows are not proved before a driver operation', make: () => believing(), corrupted: true },
  {
    law: 'proof',
    breaks: 'rows are proved neither before a driver operation nor in the transaction',
    make: () => ({ ...believing(), ledger: TrustfulLedger }),
    corrupted: true,
  },
]

type Rewrite = (writes: readonly Write[]) => readonly Write[]

/** Rewrites what ticks commit for a migration. Changes by users are not affected. */
const rewriting = (rewrite: Rewrite): Mutation => ({
  effect: (effect) => {
    if (effect.name !== 'commit' || !migrationOf(effect.ask.change)) return effect
    const { change } = effect.ask
    return { name: 'commit', ask: { change: { ...change, writes: rewrite(change.writes) } } }
  },
})

const has = (writes: readonly Write[], kind: Write['do']) => writes.some((write) => write.do === kind)
const not = (kind: Write['do']) => (write: Write) => write.do !== kind

function migrationOf({ writes }: Pick<Change, 'writes'>): Migration | undefined {
  return writes.flatMap((write) => (write.do === 'put-migration' ? [write.migration] : []))[0]
}

const takenByMigration =
  (writes: readonly Write[]) =>
  (write: Write): Write => {
    const migration = migrationOf({ writes })
    if (write.do !== 'take' || migration === undefined) return write
    return { ...write, consumer: migration.id, consumerKind: 'migration' }
  }

function releaseEarly(writes: readonly Write[]): readonly Write[] {
  const migration = migrationOf({ writes })
  if (migration?.step !== 'release' || !has(writes, 'put-step')) return writes
  return [...writes, { do: 'release', consumer: migration.id }]
}

function cleansOnce(): Mutation {
  const cleaned = new Set<string>()
  return {
    driver: (driver) => ({
      ...driver,
      clean: (driverOperation, side, options) => {
        if (cleaned.has(`${driverOperation.migration} ${side}`)) return { did: 'failed', why: 'not found' }
        const answer = driver.clean(driverOperation, side, options)
        if (answer.did === 'done') cleaned.add(`${driverOperation.migration} ${side}`)
        return answer
      },
    }),
  }
}

function cleansByInstance(): Mutation {
  return {
    driver: (driver, simulatedMachines) => ({
      ...driver,
      clean: (driverOperation, side, options) => {
        const answer = driver.clean(driverOperation, side, options)
        const host = driverOperation[side]
        if (answer.did === 'done' && host !== null)
          simulatedMachines.remove(host, (copy) => copy.instance === driverOperation.instance)
        return answer
      },
    }),
  }
}

function abortBeatsFacts(): Mutation {
  const aborted = new Set<MigrationId>()
  return {
    effect: (effect) => {
      const migration = effect.name === 'commit' ? migrationOf(effect.ask.change) : undefined
      if (migration?.cause?.kind === 'aborted') aborted.add(migration.id)
      return effect
    },
    answer: (effect, answer) => {
      if (effect.name === 'stopTransfer') return { did: 'done' }
      if (effect.name === 'locate' && aborted.has(effect.ask.driverOperation.migration)) return STILL_AT_SOURCE
      return answer
    },
  }
}

const STILL_AT_SOURCE: Effects['locate']['answer'] = { source: 'stopped', target: 'shell' }

function neverObserves(): Mutation {
  return { answer: (effect, answer) => (effect.name === 'locate' ? STILL_AT_SOURCE : answer) }
}

function silentIsNowhere(): Mutation {
  const silent = new Map<MigrationId, Side[]>()
  return {
    answer: (effect, answer) => {
      if (effect.name !== 'locate') return answer
      const seen = answer as Effects['locate']['answer']
      const sides = (['source', 'target'] as const).filter((side) => seen[side] === 'silent')
      silent.set(effect.ask.driverOperation.migration, sides)
      return Object.fromEntries(
        Object.entries(seen).map(([side, observedState]) => [
          side,
          observedState === 'silent' ? 'absent' : observedState,
        ]),
      )
    },
    effect: (effect) => (effect.name === 'runAt' ? withoutReach(effect, silent) : effect),
  }
}

function withoutReach(
  effect: Extract<Effect, { readonly name: 'runAt' }>,
  silent: ReadonlyMap<MigrationId, readonly Side[]>,
): Effect {
  const { driverOperation, side } = effect.ask
  const unheard = silent.get(driverOperation.migration) ?? []
  const reach = {
    source: driverOperation.reach.source && !unheard.includes('source'),
    target: driverOperation.reach.target && !unheard.includes('target'),
  }
  return { name: 'runAt', ask: { driverOperation: { ...driverOperation, reach }, side } }
}

class LaxLedger extends MemoryLedger {
  protected override fenceAfter(fence: number): number {
    return fence
  }
}

const believing = (): Mutation => ({ answer: (effect, answer) => (effect.name === 'proof' ? null : answer) })

class TrustfulLedger extends MemoryLedger {
  protected override apply(rows: LedgerDraft, change: Change): AppliedChange {
    return apply(rows, change, 'unproved')
  }
}

// Sends the highest possible fence, as if hosts did not compare fences.
function ignoresFences(): Mutation {
  return {
    effect: (effect) => {
      if (!('driverOperation' in effect.ask)) return effect
      const driverOperation = { ...effect.ask.driverOperation, fence: Number.MAX_SAFE_INTEGER }
      return { ...effect, ask: { ...effect.ask, driverOperation } } as Effect
    },
  }
}
