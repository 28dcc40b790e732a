import type { Actor } from '../../engine/change'
import { type HostStatus, isDead } from '../../engine/host'
import type { SecondPersonAction } from '../../engine/migration/rules'
import type { HostId } from '../../engine/words/ids'
import { type NewProposal, type ProposalRow, type ProposalState, putProposal } from '../../store/proposal/proposal'
import { readMigrationRules } from '../../store/setting/migration-rules'
import { checkStatusChange } from '../host/state'
import type { Names, Ref } from '../names/names'
import type { Permit } from '../permit/rights'
import { permitShown, proposed } from '../permit/subjects'
import type { Ms } from '../plain'
import type { Caller, CallerContext } from '../procedure/procedure'
import { refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'

// Proposals for a second person. A proposal is checked as if it were performed now, so that nothing invalid is
// approved.

export type { ProposalState }

export interface ProposalView {
  readonly id: string
  readonly kind: ProposalRow['kind']
  readonly host: Ref | null
  readonly status: HostStatus | null
  /** The repair, or the run of the evacuation. */
  readonly plan: string | null
  /** Whose allocation is to be released. */
  readonly consumer: string | null
  readonly consumerName: string | null
  /** The OpenStack cloud, and what is requested from it. */
  readonly cloud: { readonly id: string; readonly does: string } | null
  readonly reason: string
  readonly by: string
  readonly at: Ms
  /** `running`: approved, and being carried out. */
  readonly state: ProposalState | 'running'
  readonly decidedBy: string | null
  readonly decidedAt: Ms | null
  /** Whether this user may approve it; never the one who proposed it. */
  readonly permit: Permit
}

const OPEN_FOR_MS = 24 * 3600_000 // a day later the state may have changed too much for the action

/** Whether even an operator needs approval: for this action, or for one that it could stand in for. */
export async function needsApproval(
  { database }: Pick<ApiServices, 'database'>,
  action: HostStatus | 'heal' | 'release' | 'cloud',
): Promise<boolean> {
  const actions: readonly string[] = (await readMigrationRules(database)).secondPerson
  const lesser = STANDS_IN_FOR[action]
  return actions.includes(action) || (lesser !== undefined && actions.includes(lesser))
}

/** A release frees what a repair would free; the instances of a lost host can be evacuated like those of a fenced one. */
const STANDS_IN_FOR: Readonly<Record<string, SecondPersonAction>> = { release: 'heal', lost: 'fenced' }

/** A user who may not start migrations proposes; so does one who attests a silent host, with two-person approval. */
export async function evacuationNeedsApproval(services: ApiServices, host: HostId, mayStart: Permit): Promise<boolean> {
  if (!mayStart.ok) return true
  const { status } = services.fleet.host(host) ?? refuseUnknown('host', host)
  return !isDead(status) && (await needsApproval(services, 'fenced'))
}

export async function proposeStatus(
  { services, caller }: Proposer,
  { host: id, status, actor }: { readonly host: HostId; readonly status: HostStatus; readonly actor: Actor },
): Promise<string> {
  const host = services.fleet.host(id) ?? refuseUnknown('host', id)
  checkStatusChange({ ...host, kind: null }, status, actor.reason)
  return propose({ services, caller }, { kind: 'host-status', host: id, status, actor })
}

const NOTHING = {
  host: null,
  status: null,
  plan: null,
  consumer: null,
  generation: null,
  writtenAt: null,
  cloud: null,
  request: null,
  parts: [],
} as const

type ProposalRequest = Pick<NewProposal, 'kind' | 'actor'> & Partial<Pick<NewProposal, keyof typeof NOTHING>>

type Proposer = Pick<CallerContext, 'services' | 'caller'>

/** Returns the id of the proposal. */
export function propose({ services, caller }: Proposer, made: ProposalRequest): Promise<string> {
  const at = services.now()
  return putProposal(services.database, {
    ...{ ...NOTHING, ...made, id: services.newId(), byId: caller.account ?? caller.id },
    ...{ at, expiresAt: at + OPEN_FOR_MS },
  })
}

interface ProposalContext {
  readonly names: Names
  readonly caller: Approver
}

type Approver = Pick<Caller, 'account' | 'username' | 'role' | 'grants'>

export async function proposalView(
  services: ApiServices,
  row: ProposalRow,
  { names, caller }: ProposalContext,
): Promise<ProposalView> {
  const { id, kind, host, status, plan, consumer, reason, by, at, decidedBy, decidedAt } = row
  return {
    ...{ id, kind, status, plan, consumer, reason, by, at, state: shownState(row), decidedBy, decidedAt },
    host: host === null ? null : names.host(host),
    consumerName: consumer === null ? null : named(names.text(consumer), consumer),
    cloud: row.cloud === null ? null : { id: row.cloud, does: String(row.request?.does ?? '') },
    permit: await approvalPermit(services, row, caller),
  }
}

const shownState = ({ state, isRunning }: ProposalRow) => (isRunning ? 'running' : state)

/** Null when it has no name: consumers of other clients have none. */
const named = (name: string, id: string): string | null => (name === id ? null : name)

/**
 * The account that proposed it, in any session or by any of its tokens. By account or name: an identity provider may
 * have renamed the proposer, and one of the two may be a bad value.
 */
export const isProposer = (
  { by, byId, tokenAccount }: ProposalRow,
  { account, username }: Pick<Caller, 'account' | 'username'>,
): boolean => by === username || (account !== null && [byId, tokenAccount].includes(account))

/** Never the one who proposed it, and only where the approver's right holds. */
export async function approvalPermit(services: ApiServices, row: ProposalRow, caller: Approver): Promise<Permit> {
  if (row.state !== 'open') return { ok: false, why: `It is ${shownState(row)} already.` }
  if (isProposer(row, caller)) return { ok: false, why: 'You requested it; a second person has to approve.' }
  if (isOfUnknownHolder(row) && caller.role !== 'admin') {
    return { ok: false, why: 'The token that requested it acts for no account, so an admin has to approve.' }
  }
  return permitShown(services, { rights: caller, capability: 'approve' }, [proposed(row)])
}

/** Anybody may have the token, also the one who would approve. */
const isOfUnknownHolder = ({ by, tokenAccount }: ProposalRow) => tokenAccount === null && by.startsWith('token ')
