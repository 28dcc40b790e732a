import type { AllocationLine, ConsumerWrite } from '../ledger/allocations'

// Random writes of a client of the Placement API, and a naive model of the pairs that they make: it compares whole
// states as text before and after each request, independently of the engine.

export const CONSUMERS = 6
export const PROVIDERS = 3

export type Amounts = Readonly<Record<string, number>>

/** The intent of a client; the amounts depend on its holdings at that time. */
export type Intent =
  | { readonly do: 'put'; readonly id: number; readonly amounts: Amounts; readonly type: string | null }
  | { readonly do: 'delete'; readonly id: number }
  | { readonly do: 'hand-over'; readonly pairs: readonly HandOver[] }
  | { readonly do: 'reshape'; readonly id: number; readonly to: number }

interface HandOver {
  /** Among those that hold something, or any. */
  readonly from: number
  /** The receiver: one that holds nothing, the other half, or any. */
  readonly aim: 'new' | 'back' | 'any'
  readonly to: number
  readonly twist: 'none' | 'other-project' | 'less' | 'keeps-some' | 'typed' | 'of-other-type'
}

const TWISTS = [
  'none',
  'none',
  'none',
  'none',
  'other-project',
  'less',
  'keeps-some',
  'typed',
  'of-other-type',
] as const
const TYPES = [null, null, null, 'INSTANCE', 'MIGRATION', 'k8s'] as const
const AIMS = ['new', 'new', 'back', 'any'] as const

/** How many numbers determine an intent. */
export const INTENT_NUMBERS = 9

/** Any numbers give an intent, so that the generator may shrink them. */
export function intentOf(numbers: readonly number[]): Intent {
  const nth = (at: number, many: number) => (numbers[at] ?? 0) % many
  const id = nth(1, CONSUMERS)
  const handOver = (at: number): HandOver => ({
    ...{ from: nth(at, CONSUMERS), to: nth(at + 1, CONSUMERS) },
    ...{ aim: AIMS[nth(at + 2, AIMS.length)] ?? 'new', twist: TWISTS[nth(at + 3, TWISTS.length)] ?? 'none' },
  })
  switch (nth(0, 7)) {
    case 0:
      return { do: 'put', id, amounts: amountsBy(nth(2, 9)), type: TYPES[nth(3, TYPES.length)] ?? null }
    case 1:
      return { do: 'delete', id }
    case 2:
      return { do: 'reshape', id, to: nth(2, PROVIDERS) }
    case 3:
      return { do: 'hand-over', pairs: [handOver(1), handOver(5)] }
    default:
      return { do: 'hand-over', pairs: [handOver(1)] }
  }
}

const amountsBy = (die: number): Amounts =>
  die % 3 === 0
    ? { [die % PROVIDERS]: 1 + (die % 2), [(die + 1) % PROVIDERS]: 1 }
    : { [die % PROVIDERS]: 1 + (die % 2) }

/** One consumer of a request. */
export interface Part {
  readonly id: number
  readonly amounts: Amounts
  readonly project: string
  readonly type: string | null
}

export interface Step {
  readonly how: 'post' | 'put' | 'delete' | 'reshape'
  readonly parts: readonly Part[]
}

interface ConsumerState {
  readonly amounts: Amounts
  readonly generation: number
  readonly type: string
}

/** The state by consumer, and which consumer took over from which. */
export class NaiveLedger {
  readonly consumers = new Map<number, ConsumerState>()
  readonly pairs = new Map<number, number>()

  /** The request for an intent; null: nothing to request. */
  stepOf(intent: Intent): Step | null {
    if (intent.do === 'put') return { how: 'put', parts: [{ ...intent, project: 'p' }] }
    const now = intent.do === 'hand-over' ? undefined : this.consumers.get(intent.id)
    if (intent.do === 'delete') return now ? { how: 'delete', parts: [given(intent.id)] } : null
    if (intent.do === 'hand-over') return this.#handedOver(intent.pairs)
    if (!now) return null
    const sum = Object.values(now.amounts).reduce((one, other) => one + other, 0)
    return { how: 'reshape', parts: [{ ...given(intent.id), amounts: { [intent.to]: sum } }] }
  }

  #handedOver(pairs: readonly HandOver[]): Step | null {
    const parts = new Map<number, Part>()
    for (const { twist: how, ...who } of pairs) {
      const [from, to] = this.#between(who)
      const now = this.consumers.get(from)
      if (!now || from === to || parts.has(from) || parts.has(to)) continue
      const [first = ['0', 1], ...rest] = Object.entries(now.amounts)
      const isTyped = how === 'typed'
      const leaves = how === 'keeps-some' ? Object.fromEntries([first]) : {}
      const takes = how === 'less' ? { ...Object.fromEntries(rest), [first[0]]: first[1] + 1 } : now.amounts
      parts.set(from, { id: from, amounts: leaves, project: 'p', type: isTyped ? 'INSTANCE' : null })
      const project = how === 'other-project' ? 'q' : 'p'
      parts.set(to, {
        id: to,
        amounts: takes,
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
    for (const { id: who, amounts: now, type: requestedType } of parts) {
      const was = before.get(who)
      const kept = {
        amounts: now,
        generation: (was?.generation ?? 0) + 1,
        type: requestedType ?? was?.type ?? 'unknown',
      }
      if (Object.keys(now).length === 0) this.consumers.delete(who)
      else this.consumers.set(who, kept)
    }
    if (how === 'post') this.#pair(parts, before)
    for (const taker of this.pairs.keys()) if (!this.consumers.has(taker)) this.pairs.delete(taker)
  }

  #pair(parts: readonly Part[], before: ReadonlyMap<number, ConsumerState>): void {
    const swaps = parts.flatMap((taker) =>
      parts.flatMap((giver) => {
        const gave = before.get(giver.id)
        const took = this.consumers.get(taker.id)
        const isWhole = gave && took && !before.has(taker.id) && !this.consumers.has(giver.id)
        if (!isWhole || textOf(gave.amounts) !== textOf(took.amounts) || giver.project !== taker.project) return []
        const types = [gave.type, giver.type ?? 'unknown', took.type].join(' ')
        const isNovas = /^(unknown|INSTANCE) (unknown|INSTANCE) (unknown|MIGRATION)$/.test(types)
        return isNovas && this.pairs.get(giver.id) !== taker.id ? [[taker.id, giver.id] as const] : []
      }),
    )
    for (const [taker, giver] of swaps) {
      if (swaps.filter((each) => each[0] === taker || each[1] === giver).length === 1) this.pairs.set(taker, giver)
    }
  }
}

const given = (who: number): Part => ({ id: who, amounts: {}, project: 'p', type: null })
const textOf = (amounts: Amounts) => JSON.stringify(Object.entries(amounts).sort())

export const uuidOf = (kind: 'c' | 'a', nth: number) =>
  `${kind.repeat(8)}-0000-4000-8000-${String(nth).padStart(12, '0')}`

export const linesOf = (amounts: Amounts): AllocationLine[] =>
  Object.entries(amounts).map(([nth, amount]) => ({
    ...{ provider: uuidOf('a', Number(nth)), resourceClass: 'VCPU', amount },
  }))

export const writeOf = (part: Part, generation: number | null): ConsumerWrite => ({
  ...{ id: uuidOf('c', part.id), generation, checked: true, project: part.project, user: 'u', type: part.type },
  amounts: linesOf(part.amounts),
})
