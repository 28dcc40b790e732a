import type { Ms } from './contract'
import type { Query } from './contract-procedure'

// Provider trees that clients of the Placement API keep, Nova first of all. Berth knows their amounts and who holds them,
// and nothing of places: cells, CPUs and devices are known to whoever manages the tree.

/** Whole units of one class, over a tree or of one provider. */
export interface TreeAmount {
  readonly resourceClass: string
  readonly total: number
  readonly reserved: number
  /** What may be held in all: (total − reserved) × ratio. */
  readonly capacity: number
  readonly held: number
}

export interface TreeRowView {
  readonly id: string
  readonly name: string
  readonly generation: number
  readonly since: Ms
  readonly providers: number
  readonly consumers: number
  readonly classes: readonly (TreeAmount & { readonly free: number })[]
}

export interface TreeProviderView {
  readonly id: string
  readonly name: string
  /** 0 is the root; children follow their parent. */
  readonly depth: number
  readonly generation: number
  readonly traits: readonly string[]
  readonly aggregates: readonly string[]
  readonly inventories: readonly (TreeAmount & { readonly ratio: number })[]
}

export interface TreeConsumerView {
  readonly id: string
  /** `INSTANCE`, `MIGRATION`, whatever else its client said; null when it said nothing. */
  readonly type: string | null
  readonly project: string
  readonly user: string
  readonly generation: number
  /** `API token nova`; null: Berth. */
  readonly owner: string | null
  readonly since: Ms
  readonly amounts: readonly { readonly provider: string; readonly resourceClass: string; readonly amount: number }[]
}

/** How many more of a flavor fit, by amounts alone. */
export interface TreeFit {
  readonly flavor: string
  readonly more: number
  /** The class that ends first. */
  readonly limit: string | null
  /** It also asks for places (cells, pinned CPUs, pages) or devices, which nobody here can judge. */
  readonly needsPlaces: boolean
}

export interface TreeEventView {
  readonly seq: string
  readonly at: Ms
  readonly kind: string
  readonly who: string
  readonly request: string | null
}

export interface TreeView {
  readonly id: string
  readonly name: string
  readonly providers: readonly TreeProviderView[]
  readonly consumers: readonly TreeConsumerView[]
  readonly fits: readonly TreeFit[]
  /** The last writes to any of its providers, the newest first. */
  readonly events: readonly TreeEventView[]
}

export interface ProviderProcedures {
  readonly 'provider.trees': Query<void, readonly TreeRowView[]>
  readonly 'provider.tree': Query<{ readonly id: string }, TreeView>
}
