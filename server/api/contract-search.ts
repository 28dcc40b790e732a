import type { VmState } from '../engine/books'
import type { HostAdmission, HostTruth } from '../engine/host'
import type { Operation, Outcome, Step, Wish } from '../engine/migration/state'
import type { HostAction, HostContact, InstanceAction, Permit, Permits, Ref } from './contract'
import type { Mutation, Query } from './contract-procedure'
import type { RunKind } from './contract-runs'

// What the command palette and the menus of saved views ask. Agreed between the API and the screens; types only.

// ── saved views ────────────────────────────────────────────────────────────────────────────────────────────────────

/** A list as somebody wants to see it again. `query` is what follows the `?` of its address. */
export interface SavedViewItem extends Ref {
  readonly path: string
  readonly query: string
  readonly shared: boolean
  readonly owner: string
  readonly mine: boolean
  readonly permitted: Permits<'replace' | 'remove'>
}
export interface SavedViewList {
  readonly views: readonly SavedViewItem[]
  readonly permitted: Permits<'save' | 'share'>
}
export interface SaveViewInput {
  readonly name: string
  readonly path: string
  readonly query: string
  readonly shared: boolean
}

// ── search ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** At most so many of each kind, the best first: the same name, then names that start so, then names that hold it. */
export interface SearchInput {
  readonly q: string
}
export interface FoundHost extends Ref {
  readonly zone: string | null
  readonly truth: HostTruth
  readonly contact: HostContact | null
  readonly admission: HostAdmission
  readonly permitted: Permits<HostAction | RunKind>
}
export interface FoundInstance extends Ref {
  readonly project: string
  readonly vmState: VmState
  readonly host: Ref | null
  readonly permitted: Permits<InstanceAction>
}
export interface FoundMigration {
  readonly id: string
  readonly instance: Ref
  readonly operation: Operation
  readonly step: Step
  readonly outcome: Outcome | null
  readonly permitted: Permits<Wish>
}
/** A device by its address, such as `0000:3b:00.1`, or any unit by its name. */
export interface FoundDevice {
  readonly host: Ref
  readonly unit: string
  readonly label: string
  readonly held: boolean
}
/** What is found by its id alone. `name` is what it is about. */
export interface FoundRecord {
  readonly noun: 'finding' | 'heal' | 'run' | 'claim' | 'provider'
  readonly id: string
  readonly name: string
}
/** A tree that a client of the Placement API keeps. */
export type FoundTree = Ref
/** A saved view of one's own, or one that is shared. */
export interface FoundView {
  readonly id: string
  readonly name: string
  readonly path: string
  readonly query: string
}
export interface SearchView {
  readonly hosts: readonly FoundHost[]
  readonly instances: readonly FoundInstance[]
  readonly migrations: readonly FoundMigration[]
  readonly devices: readonly FoundDevice[]
  readonly trees: readonly FoundTree[]
  readonly records: readonly FoundRecord[]
  readonly views: readonly FoundView[]
  /** Of what can be done without naming a thing. */
  readonly permitted: { readonly build: Permit }
  readonly tookMs: number
}

export interface SearchProcedures {
  readonly 'view.list': Query<{ path: string }, SavedViewList>
  /** A view of one's own with the same name on the same page is replaced. */
  readonly 'view.save': Mutation<SaveViewInput, { id: string }>
  readonly 'view.remove': Mutation<{ id: string }, { id: string }>
  readonly 'search.find': Query<SearchInput, SearchView>
}
