import fc from 'fast-check'
import type { AllocationLine, ConsumerWrite } from '../ledger/allocations'

// Random writes of a client of the Placement API, and a naive account of the pairs that they make: it compares whole
// states as text before and after each request, and knows nothing of how the engine decides.

export const CONSUMERS = 6
export const PROVIDERS = 3

export type Held = Readonly<Record<string, number>>

/** What somebody means to do; which amounts that takes depends on what is held by then. */
export type Intent =
  | { readonly do: 'put'; readonly id: number; readonly held: Held; readonly type: string | null }
  | { readonly do: 'delete'; readonly id: number }
  | { readonly do: 'hand-over'; readonly pairs: readonly HandOver[] }
  | { readonly do: 'reshape'; readonly id: number; readonly to: number }

interface HandOver {
  /** Of those that hold something, or whoever it is. */
  readonly from: number
  /** Whom it goes to: one that holds nothing, the other half, or whoever it is. */
  readonly aim: 'new' | 'back' | 'any'
  readonly to: number
  readonly twist: 'none' | 'other-project' | 'less' | 'keeps-some' | 'typed' | 'of-other-type'
}

const id = fc.nat(CONSUMERS - 1)
const held = fc.dictionary(fc.constantFrom('0', '1', '2'), fc.integer({ min: 1, max: 2 }), { minKeys: 1, maxKeys: 2 })
const type = fc.constantFrom(null, null, null, 'INSTANCE', 'MIGRATION', 'k8s')
const twist = fc.constantFrom(
  ...(['none', 'none', 'none', 'none', 'other-project', 'less', 'keeps-some', 'typed', 'of-other-type'] as const),
)
const aim = fc.constantFrom(...(['new', 'new', 'back', 'any'] as const))
const handOver: fc.Arbitrary<HandOver> = fc.record({ from: id, aim, to: id, twist })

export const intents: fc.Arbitrary<readonly Intent[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('put' as const), id, held, type }),
    fc.record({ do: fc.constant('delete' as const), id }),
    {
      weight: 4,
      arbitrary: fc.record({
        do: fc.constant('hand-over' as const),
        pairs: fc.array(handOver, { minLength: 1, maxLength: 2 }),
      }),
    },
    fc.record({ do: fc.constant('reshape' as const), id, to: fc.nat(PROVIDERS - 1) }),
  ),
  { minLength: 4, maxLength: 14, size: 'max' },
)

/** One consumer of a request. */
export interface Part {
  readonly id: number
  readonly held: Held
  readonly project: string
  readonly type: string | null
}

export interface Step {
  readonly how: 'post' | 'put' | 'delete' | 'reshape'
  readonly parts: readonly Part[]
}

interface Kept {
  readonly held: Held
  readonly generation: number
  readonly type: string
}

/** What there is, by consumer, and who took over from whom. */
export class NaiveLedger {
  readonly consumers = new Map<number, Kept>()
  readonly pairs = new Map<number, number>()

  /** The request that an intent comes to; null: there is nothing to ask. */
  stepOf(intent: Intent): Step | null {
    if (intent.do === 'put') return { how: 'put', parts: [{ ...intent, project: 'p' }] }
    const now = intent.do === 'hand-over' ? undefined : this.consumers.get(intent.id)
    if (intent.do === 'delete') return now ? { how: 'delete', parts: [given(intent.id)] } : null
    if (intent.do === 'hand-over') return this.#handedOver(intent.pairs)
    if (!now) return null
    const sum = Object.values(now.held).reduce((one, other) => one + other, 0)
    return { how: 'reshape', parts: [{ ...given(intent.id), held: { [intent.to]: sum } }] }
  }

  #handedOver(pairs: readonly HandOver[]): Step | null {
    const parts = new Map<number, Part>()
    for (const { twist: how, ...who } of pairs) {
      const [from, to] = this.#between(who)
      const now = this.consumers.get(from)
      if (!now || from === to || parts.has(from) || parts.has(to)) continue
      const [first = ['0', 1], ...rest] = Object.entries(now.held)
      const isTyped = how === 'typed'
      const leaves = how === 'keeps-some' ? Object.fromEntries([first]) : {}
      const takes = how === 'less' ? { ...Object.fromEntries(rest), [first[0]]: first[1] + 1 } : now.held
      parts.set(from, { id: from, held: leaves, project: 'p', type: isTyped ? 'INSTANCE' : null })
      const project = how === 'other-project' ? 'q' : 'p'
      parts.set(to, {
        id: to,
        held: takes,
        project,
        type: isTyped ? 'MIGRATION' : how === 'of-other-type' ? 'k8s' : null,
      })
    }
    return parts.size === 0 ? null : { how: 'post', parts: [...parts.values()] }
  }

  #between({ from: first, to: last, aim }: Omit<HandOver, 'twist'>): readonly [from: number, to: number] {
    const there = [...this.consumers.keys()]
    const from = aim === 'any' ? first : (there[first % there.length] ?? first)
    const absent = Array.from({ length: CONSUMERS }, (_, nth) => nth).filter((nth) => !this.consumers.has(nth))
    if (aim === 'back') return [from, this.pairs.get(from) ?? last]
    return [from, aim === 'new' ? (absent[last % absent.length] ?? last) : last]
  }

  generationOf = (consumer: number): number | null => this.consumers.get(consumer)?.generation ?? null

  follow({ how, parts }: Step): void {
    const before = new Map(this.consumers)
    for (const { id: who, held: now, type: said } of parts) {
      const was = before.get(who)
      const kept = { held: now, generation: (was?.generation ?? 0) + 1, type: said ?? was?.type ?? 'unknown' }
      if (Object.keys(now).length === 0) this.consumers.delete(who)
      else this.consumers.set(who, kept)
    }
    if (how === 'post') this.#pair(parts, before)
    for (const taker of this.pairs.keys()) if (!this.consumers.has(taker)) this.pairs.delete(taker)
  }

  #pair(parts: readonly Part[], before: ReadonlyMap<number, Kept>): void {
    const told = parts.flatMap((taker) =>
      parts.flatMap((giver) => {
        const gave = before.get(giver.id)
        const took = this.consumers.get(taker.id)
        const isWhole = gave && took && !before.has(taker.id) && !this.consumers.has(giver.id)
        if (!isWhole || textOf(gave.held) !== textOf(took.held) || giver.project !== taker.project) return []
        const types = [gave.type, giver.type ?? 'unknown', took.type].join(' ')
        const isNovas = /^(unknown|INSTANCE) (unknown|INSTANCE) (unknown|MIGRATION)$/.test(types)
        return isNovas && this.pairs.get(giver.id) !== taker.id ? [[taker.id, giver.id] as const] : []
      }),
    )
    for (const [taker, giver] of told) {
      if (told.filter((each) => each[0] === taker || each[1] === giver).length === 1) this.pairs.set(taker, giver)
    }
  }
}

const given = (who: number): Part => ({ id: who, held: {}, project: 'p', type: null })
const textOf = (amounts: Held) => JSON.stringify(Object.entries(amounts).sort())

export const uuidOf = (kind: 'c' | 'a', nth: number) =>
  `${kind.repeat(8)}-0000-4000-8000-${String(nth).padStart(12, '0')}`

export const linesOf = (amounts: Held): AllocationLine[] =>
  Object.entries(amounts).map(([nth, amount]) => ({
    ...{ provider: uuidOf('a', Number(nth)), resourceClass: 'VCPU', amount },
  }))

export const writeOf = (part: Part, generation: number | null): ConsumerWrite => ({
  ...{ id: uuidOf('c', part.id), generation, checked: true, project: part.project, user: 'u', type: part.type },
  amounts: linesOf(part.held),
})
