import { type Change, type Guards, NO_GUARDS, rootGuard, type Write } from '../change'
import { ANONYMOUS_QUESTION, decide } from '../claim'
import type { Flavor } from '../demand'
import type { Ledger } from '../ledger/ledger'
import { deleted, startBuild } from '../lifecycle'
import { accept } from '../migration/accept'
import { changeOf as changeOfTransition } from '../migration/changes'
import type { Migration } from '../migration/state'
import { type Line, undone, writesOf } from '../rows'
import { linesOfHolding } from '../rows-of-holding'
import { sharedAmountsOf } from '../storage/storage'
import type { InstanceId } from '../words/ids'
import { claimId, migrationId } from './hosts'
import { demandFor, flavor, instanceOf, pinned } from './instances'

// Random changes of a ledger: most are results of decisions on it, some rely on outdated generations, and some break a
// law. All implementations must agree on each.

export interface ChangeChoice {
  readonly act: keyof typeof ACTS
  readonly one: number
  readonly other: number
  readonly spoil: 'no' | 'guard' | 'stale'
}

export const CHANGE_ACTS = () => Object.keys(ACTS) as (keyof typeof ACTS)[]

const AT = Date.UTC(2026, 10, 21)
const ATTRIBUTION = { actor: { who: 'tester', request: 'req-1', reason: null }, at: AT }

const FLAVORS: readonly Flavor[] = [
  flavor(1),
  flavor(2, {}, { diskGib: 20 }),
  pinned(2),
  pinned(1, { 'pci_passthrough:alias': 'vf:1' }),
  flavor(1, { 'hw:mem_page_size': '2048' }),
  pinned(2, { 'pci_passthrough:alias': 'pf:1' }),
]

/** Generates changes one by one; equal choices on equal ledgers give equal changes. */
export class RandomChanges {
  #next = 1
  readonly #made: Change[] = []
  /** Deleted lines, to be restored later. */
  readonly #gone: (readonly Line[])[] = []

  /** Null if the ledger has nothing to act on. */
  next(ledger: Ledger, { act, one, other, spoil }: ChangeChoice): Change | null {
    if (spoil === 'stale') return pick(this.#made, one)
    const change = ACTS[act]({ ledger, one, other, newId: () => this.#next++, gone: this.#gone })
    if (change === null) return null
    this.#made.push(change)
    return spoil === 'guard' ? spoiled(change, other) : change
  }
}

interface ChangeInput {
  readonly ledger: Ledger
  readonly one: number
  readonly other: number
  readonly gone: (readonly Line[])[]
  newId(): number
}

const pick = <T>(all: readonly T[], at: number): T | null => all[at % Math.max(1, all.length)] ?? null
const hostOf = ({ ledger }: ChangeInput, at: number) => pick([...ledger.hosts.values()], at)
const activeOf = ({ ledger }: ChangeInput, instance: InstanceId) =>
  [...ledger.migrations.values()].find((each) => each.instance === instance && each.step !== 'ended') ?? null
const activeMigration = ({ ledger, one }: ChangeInput, is: (migration: Migration) => boolean) =>
  pick(
    [...ledger.migrations.values()].filter((each) => each.step !== 'ended' && is(each)),
    one,
  )

const change = (writes: readonly Write[], guards: Partial<Guards> = {}): Change => ({
  guards: { ...NO_GUARDS, ...guards },
  writes,
  event: { kind: 'test.changed', hosts: [], instance: null, migration: null, data: {} },
  ...ATTRIBUTION,
})

const ACTS = {
  build: (input: ChangeInput): Change | null => {
    const host = hostOf(input, input.one)
    const of = pick(FLAVORS, input.other)!
    const verdict = host && decide({ demand: demandFor(of), host, ...ANONYMOUS_QUESTION })
    if (!verdict?.ok) return null
    const n = input.newId()
    return startBuild(instanceOf(n, of), { id: claimId(n), plan: verdict.plan }, ATTRIBUTION)
  },
  accept: (input: ChangeInput): Change | null => {
    const instance = pick([...input.ledger.instances.values()], input.one)
    const host = instance && input.ledger.hosts.get(instance.host!)
    if (!host) return null
    const accepted = accept(
      { instance: { ...instance, vmState: 'active' }, host, activeMigration: null },
      { operation: 'live-migrate', target: null, newFlavor: null, newImage: null },
      { id: migrationId(input.newId()), sameDemand: () => false, confirmWindowMs: null, ...ATTRIBUTION },
    )
    return accepted.ok ? accepted.change : null
  },
  claim: (input: ChangeInput): Change | null => {
    const migration = activeMigration(input, ({ step }) => step === 'claim')
    const target = hostOf(input, input.other)
    const records = migration && recordsOf(input, { ...migration, target: target?.id ?? null })
    if (!records?.source || !target || target.id === records.source.id) return null
    const shared = sharedAmountsOf(records.source, records.instance.id)
    const demand = demandFor(records.instance.flavor)
    const verdict = decide({ demand, host: target, ...ANONYMOUS_QUESTION, storage: { mode: 'auto', shared } })
    if (!verdict.ok) return null
    const { plan } = verdict
    const after = {
      ...migration!,
      step: 'prepare',
      target: target.id,
      kept: plan.keptAmounts,
      storageUsed: plan.storage,
    } as const
    return transition(input, { before: migration!, after, claim: { id: claimId(input.newId()), plan } })
  },
  rollBack: (input: ChangeInput): Change | null => {
    const migration = activeMigration(input, ({ step, direction }) => step === 'prepare' && direction === 'target')
    return migration && transition(input, { before: migration, after: { ...migration, direction: 'source' } })
  },
  arrive: (input: ChangeInput): Change | null => {
    const migration = activeMigration(input, (each) => each.step === 'prepare' && each.direction === 'target')
    return (
      migration && transition(input, { before: migration, after: { ...migration, step: 'release', home: 'target' } })
    )
  },
  end: (input: ChangeInput): Change | null => {
    const migration = activeMigration(input, (each) => each.target !== null && each.home === each.direction)
    const after = migration && ({ ...migration, step: 'ended', outcome: 'completed' } as const)
    return after && transition(input, { before: migration!, after })
  },
  delete: (input: ChangeInput): Change | null => {
    const instance = pick([...input.ledger.instances.values()], input.one)
    return (
      instance &&
      deleted({ instance, host: input.ledger.hosts.get(instance.host!) ?? null, activeMigration: null }, ATTRIBUTION)
    )
  },
  setHost: (input: ChangeInput): Change | null => {
    const host = hostOf(input, input.one)
    const status = pick(['up', 'up', 'down', 'fenced', 'lost'] as const, input.other)!
    return host && change([{ do: 'set-host', id: host.id, set: { status } }], { providers: rootGuard(host) })
  },
  clear: (input: ChangeInput): Change | null => {
    const listed = [...input.ledger.leftovers].flatMap(([host, all]) => all.map((each) => ({ host, ...each })))
    const remain = pick(listed, input.one)
    return remain && change([{ do: 'clear-remains', ...without(remain) }])
  },
  leave: (input: ChangeInput): Change | null => {
    const instance = pick([...input.ledger.instances.values()], input.one)
    const host = hostOf(input, input.other)
    if (!instance || !host || host.leftovers.includes(instance.id)) return null
    const remain = { host: host.id, instance: instance.id, migration: null }
    return change([{ do: 'note-remains', ...remain, side: 'source' }])
  },
  release: (input: ChangeInput): Change | null => {
    const holding = pick(
      [...input.ledger.hosts.values()].flatMap(({ holdings }) => holdings),
      input.one,
    )
    return holding && change([{ do: 'release', consumer: holding.consumer }])
  },
  exchange: (input: ChangeInput): Change | null => {
    const migration = pick([...input.ledger.migrations.values()], input.other)
    const instance = input.one % 2 === 0 ? migration?.instance : pick([...input.ledger.instances.keys()], input.one)
    return instance && migration ? change([{ do: 'exchange', instance, migration: migration.id }]) : null
  },
  deleteClaim: (input: ChangeInput): Change | null => {
    const host = hostOf(input, input.one)
    const holding = host && pick(host.holdings, input.other)
    if (!holding || activeOf(input, holding.instance)) return null
    const lines = undone(linesOfHolding(host, holding, 'deleted'))
    input.gone.push(undone(lines))
    const of = [...input.ledger.instances.values()].map(({ id, generation }) => ({ id, generation }))
    const [instance = null] = of.filter(({ id }) => id === holding.instance)
    const further = of.filter(({ id }) => id !== holding.instance).slice(0, input.one % 3)
    return change(writesOf(lines), { instance, furtherInstances: further })
  },
  restore: (input: ChangeInput): Change | null => {
    const lines = pick(input.gone, input.one)
    return lines && change(writesOf(lines))
  },
  correct: (input: ChangeInput): Change | null => {
    const host = hostOf(input, input.one)
    const holding = host && pick(host.holdings, input.other)
    const amount = holding && pick(holding.body.amounts, input.one)
    if (!amount) return null
    const { provider, resourceClass, amount: now } = amount
    const key = { consumer: holding.consumer, provider, resourceClass }
    const after = { amount: now + (input.other % 2) }
    return change([
      { do: 'row', line: { row: 'allocation', key, before: { amount: now }, after, host: host.id, why: '' } },
    ])
  },
}

const without = <T extends { readonly side: unknown }>({ side: _, ...rest }: T) => rest

function recordsOf({ ledger }: ChangeInput, { source, target, instance: id }: Migration) {
  const instance = ledger.instances.get(id)
  const at = (host: typeof source) => (host === null ? null : (ledger.hosts.get(host) ?? null))
  return instance ? { instance, source: at(source), target: at(target) } : null
}

interface RandomTransition {
  readonly before: Migration
  readonly after: Migration
  readonly claim?: Parameters<typeof changeOfTransition>[0]['claim']
}

function transition(input: ChangeInput, { before, after, claim = null }: RandomTransition): Change | null {
  const records = recordsOf(input, after)
  if (records === null) return null
  const next = { ...after, seq: before.seq + 1 }
  return changeOfTransition({
    records: { migration: before, ...records },
    after: next,
    claim,
    fence: before.fence,
    fleetLimit: input.one % 2 === 0 ? 1 + (input.other % 2) : 100,
    ...ATTRIBUTION,
  })
}

/** Replaces one guarded generation. */
function spoiled(of: Change, other: number): Change {
  const { guards } = of
  const [first, ...rest] = guards.providers
  const off = <T extends { readonly generation: number }>(row: T): T => ({ ...row, generation: row.generation + 1 })
  if (guards.migration !== null && other % 3 === 0) {
    return { ...of, guards: { ...guards, migration: { ...guards.migration, fence: 7 } } }
  }
  if (guards.migration !== null && other % 3 === 1)
    return { ...of, guards: { ...guards, migration: off(guards.migration) } }
  const [further] = guards.furtherInstances ?? []
  if (further && other % 2 === 0) return { ...of, guards: { ...guards, furtherInstances: [off(further)] } }
  if (guards.instance !== null) return { ...of, guards: { ...guards, instance: off(guards.instance) } }
  if (first && first.generation !== null) {
    return { ...of, guards: { ...guards, providers: [{ ...first, generation: first.generation + 1 }, ...rest] } }
  }
  return of
}
