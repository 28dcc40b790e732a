import type { FindingKind } from '../engine/audit/finding'
import type { HostTruth } from '../engine/host'
import type { Wish } from '../engine/migration/state'
import type { RowKind } from '../engine/rows'
import type { Held, ListCondition, Ms, Page, PageInput, Permit, Ref, RefusalView } from './contract'
import type { Mutation, Query } from './contract-procedure'

// What the console asks about truth: what the audit found, how it is healed, what is safe to do, and the parcel for
// support. Same rules as `contract.ts`: plain JSON, times in ms, `null` is "nobody knows" or "does not apply".

// ── findings ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** Who says something about a guest. */
export type Source = 'records' | 'allocations' | 'hypervisor'

/** sure: the books alone prove it. likely: two looks at a hypervisor agree. once: seen by one look so far. */
export type Confidence = 'sure' | 'likely' | 'once'

/** harm: guests or promises are in danger. leak: room is lost. doubt: something is unknown or untidy. */
export type Severity = 'harm' | 'leak' | 'doubt'

export interface EvidenceView {
  readonly source: Source
  readonly host: Ref | null
  /** Ready to print: `runs on h-07`, `4 PCPU, 8192 MEMORY_MB`, `nobody answered`. */
  readonly says: string
  /** When it was read or seen; null when nobody knows. */
  readonly at: Ms | null
}

export interface FindingRow {
  readonly id: string
  readonly kind: FindingKind
  readonly severity: Severity
  readonly confidence: Confidence
  readonly host: Ref | null
  readonly instance: Ref | null
  readonly migration: string | null
  readonly where: string | null
  readonly expected: string
  readonly found: string
  readonly firstSeenAt: Ms
  readonly lastSeenAt: Ms
  /** Set when it is no longer there. */
  readonly closedAt: Ms | null
  /** What a heal gives back; null when nothing. */
  readonly held: Held | null
  /** Why no heal may touch it now (a move in flight, a silent host), else null. */
  readonly locked: string | null
  /** Whether there is a heal for this kind at all, and if not, what to do instead. */
  readonly heal: Permit
  /** The consumer of another client that it is about: only its owner changes it, or a release. */
  readonly foreign: string | null
}

export interface FindingDetail extends FindingRow {
  /** Records, allocations and hypervisor side by side. */
  readonly evidence: readonly EvidenceView[]
  readonly runbook: FindingKind
  /** Plans that touched it, newest first. */
  readonly plans: readonly { readonly id: string; readonly state: HealState; readonly at: Ms }[]
}

export type FindingSort = 'severity' | 'kind' | 'first' | 'host' | 'instance'
export type FindingField =
  | 'text'
  | 'kind'
  | 'severity'
  | 'confidence'
  | 'host'
  | 'instance'
  | 'where'
  | 'move'
  | 'state'
export interface FindingListInput extends PageInput<FindingSort> {
  /** `state` is open or closed, `move` whether it is about one; without `state` only open ones are listed. */
  readonly where?: readonly ListCondition<FindingField>[]
  readonly q?: string
  readonly kind?: readonly FindingKind[]
  readonly severity?: readonly Severity[]
  readonly host?: string
  readonly instance?: string
  readonly migration?: string
  /** A CPU or device of the host, as on the map. */
  readonly unit?: string
  readonly closed?: boolean
}

export interface AuditStatus {
  /** Null before the first audit. */
  readonly at: Ms | null
  readonly tookMs: number | null
  readonly hosts: number
  readonly instances: number
  readonly byKind: readonly { readonly kind: FindingKind; readonly severity: Severity; readonly count: number }[]
  /** Hosts whose hypervisor did not answer at the last survey, though it once did. */
  readonly silent: readonly Ref[]
  readonly neverAnswered: readonly Ref[]
  /** Migrations that wait for a person, a host or a retry: until they go on, nobody can say what is right. */
  readonly undecided: { readonly count: number; readonly byHost: Readonly<Record<string, number>> }
  readonly surveyAt: Ms | null
}

/** Rules that may heal by themselves: off unless a person switched one on, with a cap a day. */
export interface AutoHealRule {
  readonly kind: FindingKind
  readonly on: boolean
  readonly dailyCap: number
  readonly usedToday: number
  readonly by: string | null
  readonly at: Ms | null
}

/** Whether the columns of a row say the same. unknown: nothing differs, and not every column is known. */
export type Agreement = 'agree' | 'differ' | 'unknown'

/** One row of the three-way drift of an instance or a host (N5). */
export interface DriftRow {
  readonly instance: Ref
  readonly records: string
  readonly allocations: string
  readonly hypervisor: string
  readonly recordsAt: Ms | null
  readonly hypervisorAt: Ms | null
  readonly agreement: Agreement
  readonly findings: readonly string[]
}

/** A device in the books beside what its host shows of it. */
export interface DeviceDriftRow {
  readonly host: Ref
  readonly unit: string
  readonly label: string
  readonly records: string
  /** Null while nobody knows; then `needs` says what it would take. */
  readonly hypervisor: string | null
  /** Null when the host told its devices at the last survey. */
  readonly needs: 'a first survey' | 'an answer of the host' | 'a driver that tells devices' | null
  readonly recordsAt: Ms
  readonly hypervisorAt: Ms | null
  readonly agreement: Agreement
  readonly findings: readonly string[]
}

// ── heal ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** changed: rows were not as shown, nothing was written, a new plan replaces it. */
export type HealState = 'draft' | 'applied' | 'partly-applied' | 'changed' | 'undone'
export type PartState = 'open' | 'applied' | 'changed' | 'undone' | 'left-out'

export interface HealLineView {
  readonly sign: '-' | '+' | '~'
  readonly row: RowKind
  readonly host: Ref | null
  /** Key and values, ready to print: `PCPU of h-07 for web-1`, `4 → 2`. */
  readonly what: string
  readonly before: string | null
  readonly after: string | null
  readonly why: string
  /** True when this line differs from the plan it replaces. */
  readonly changed: boolean
}

/** Lines that only make sense together: applied in one transaction, or not at all. */
export interface HealPartView {
  readonly n: number
  readonly finding: FindingRow
  readonly title: string
  readonly lines: readonly HealLineView[]
  /** Generations it relies on: `h-07 at 41`. */
  readonly guards: readonly string[]
  readonly givesBack: Held | null
  readonly locked: string | null
  readonly state: PartState
  readonly appliedAt: Ms | null
  /** Whose write came first, when it was not applied. */
  readonly conflict: string | null
}

export interface HealPlanRow {
  readonly id: string
  readonly state: HealState
  readonly parts: number
  readonly applied: number
  readonly madeAt: Ms
  readonly madeBy: string
  readonly reason: string | null
  readonly undoOf: string | null
}
/** A finding that a repair leaves or brings about. */
export interface FindingBriefView {
  /** `amf-02 has lost pci:0000:10:00.1 of h-07`. */
  readonly says: string
  readonly severity: Severity
  readonly isNew: boolean
}

export interface HealPlanDetail extends HealPlanRow {
  readonly part: readonly HealPartView[]
  /** The plan that replaces this one after a change. */
  readonly replacedBy: string | null
  readonly undoneBy: string | null
  /** What it leaves or brings about, tried on the records of when it was planned; null: nobody can say before. */
  readonly foreseen: readonly FindingBriefView[] | null
  /** Findings of the same subjects at the audit after it was applied, and new ones; null before. */
  readonly verified: { readonly at: Ms; readonly left: number; readonly found: readonly FindingBriefView[] } | null
  readonly permitted: { readonly apply: Permit; readonly undo: Permit }
  /** Set when a second person must agree first. */
  readonly approval: ProposalView | null
}

// ── adviser ────────────────────────────────────────────────────────────────────────────────────────────────────────

export type Verdict = 'safe' | 'attested' | 'unsafe' | 'impossible' | 'unknown'
export type AdvisedAction =
  | Wish
  | 'wait'
  | 'state-up'
  | 'state-down'
  | 'state-fenced'
  | 'state-gone'
  | 'heal'
  | 'evacuate'
export interface ProofView {
  readonly source: Source | 'person' | 'history'
  readonly host: Ref | null
  readonly says: string
  readonly at: Ms | null
}
export interface Advice {
  readonly action: AdvisedAction
  /** Whose truth it would state, or which host it would empty; left out for wishes and heals. */
  readonly host?: Ref | null
  readonly verdict: Verdict
  /** In one sentence: what it would do, or why not. */
  readonly because: string
  readonly proof: readonly ProofView[]
  /** What would have to be known before this is safe. */
  readonly needs: readonly string[]
  readonly permit: Permit
}
export interface AdviceView {
  readonly subject: { readonly kind: 'migration' | 'host'; readonly id: string; readonly name: string }
  /** Null when nothing is stuck; `since` null when it was never otherwise, as with a host that never answered. */
  readonly stuck: { readonly why: string; readonly since: Ms | null } | null
  readonly actions: readonly Advice[]
  readonly facts: readonly EvidenceView[]
}

// ── second person ──────────────────────────────────────────────────────────────────────────────────────────────────

export type ProposalState = 'open' | 'approved' | 'refused' | 'withdrawn' | 'expired'
export interface ProposalView {
  readonly id: string
  readonly kind: 'host-truth' | 'heal' | 'evacuation' | 'release'
  readonly host: Ref | null
  readonly truth: HostTruth | null
  /** The heal plan, or the run of the evacuation. */
  readonly plan: string | null
  /** Whose allocation is to be released. */
  readonly consumer: string | null
  readonly consumerName: string | null
  readonly reason: string
  readonly by: string
  readonly at: Ms
  readonly state: ProposalState
  readonly decidedBy: string | null
  readonly decidedAt: Ms | null
  /** May this person approve it? Never the one who proposed it. */
  readonly permit: Permit
}

export interface TruthProcedures {
  readonly 'finding.list': Query<FindingListInput, Page<FindingRow>>
  readonly 'finding.byId': Query<{ id: string }, FindingDetail>
  readonly 'finding.status': Query<void, AuditStatus>
  /** Audits now and answers when it has: all rows, or one host after its hypervisor was asked again. */
  readonly 'finding.audit': Mutation<{ host?: string }, AuditStatus>
  readonly 'finding.drift': Query<{ host?: string; instance?: string }, readonly DriftRow[]>
  readonly 'finding.deviceDrift': Query<{ host?: string; instance?: string }, readonly DeviceDriftRow[]>
  readonly 'finding.rules': Query<void, readonly AutoHealRule[]>
  readonly 'finding.setRule': Mutation<
    { kind: FindingKind; on: boolean; dailyCap: number; reason: string },
    readonly AutoHealRule[]
  >
  readonly 'heal.list': Query<void, readonly HealPlanRow[]>
  readonly 'heal.byId': Query<{ id: string }, HealPlanDetail>
  /** Works out a plan for these findings and stores it; nothing else is written. */
  readonly 'heal.plan': Mutation<{ findings: readonly string[] }, { plan: string }>
  /** Applies the chosen parts as they were shown. A part whose rows changed is not written: `replacedBy` has the new diff. */
  readonly 'heal.applyParts': Mutation<
    { id: string; parts: readonly number[]; reason: string },
    {
      state: HealState
      applied: number
      replacedBy: string | null
      /** Why there is no new diff although rows had changed; else null. */
      whyNotReplaced: string | null
      /** New findings of the audit that followed. */
      found: readonly FindingBriefView[]
      proposal: string | null
    }
  >
  /** A new plan that is the applied one read backwards; it is reviewed and applied like any other. */
  readonly 'heal.undo': Mutation<{ id: string }, { plan: string }>
  readonly 'advice.migration': Query<{ id: string }, AdviceView>
  readonly 'advice.host': Query<{ id: string }, AdviceView>
  readonly 'proposal.list': Query<{ state?: ProposalState }, readonly ProposalView[]>
  readonly 'proposal.make': Mutation<{ host: string; truth: HostTruth; reason: string }, { proposal: string }>
  readonly 'proposal.decide': Mutation<
    { id: string; approve: boolean; reason: string },
    { state: ProposalState; refusal: RefusalView | null }
  >
  /** Everything about one move (or host), redacted, as one JSON text to save. */
  readonly 'bundle.make': Query<{ migration?: string; host?: string }, { name: string; text: string }>
}
