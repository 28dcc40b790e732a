import { ownerName } from '../../engine/words/owner'
import { type ForeignConsumer, readForeignConsumer } from '../../store/placement/owner'
import { readProposalOfConsumer } from '../../store/proposal/proposal'
import type { Ref } from '../names/names'
import { namesOf } from '../names/read'
import type { Permit } from '../permit/rights'
import { permitShown, permitTo } from '../permit/subjects'
import type { Ms } from '../plain'
import { object, reason, recordId, wholeNumber } from '../procedure/inputs'
import { actorOf, type Caller, proposer, router, viewer } from '../procedure/procedure'
import { needsApproval, type ProposalView, proposalView, propose } from '../proposal/propose'
import { refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { releaseConsumer } from './release'

// Consumers of other clients: their owner, and the explicit release of their allocations.

export interface OwnerView {
  /** `API token nova`. */
  readonly name: string
  /** Last write; null when unknown. */
  readonly at: Ms | null
  readonly request: string | null
}

export interface ForeignConsumerView {
  readonly id: string
  /** Null when its client set none. */
  readonly type: string | null
  readonly project: string
  readonly user: string
  readonly generation: number
  readonly owner: OwnerView
  readonly amounts: readonly {
    readonly provider: string
    readonly host: Ref | null
    readonly resourceClass: string
    readonly amount: number
  }[]
  /** Whether this user may release it; `asks`: a second person must approve. */
  readonly permit: Permit
  readonly asks: boolean
  /** The last proposal to release it. */
  readonly proposal: ProposalView | null
}

const id = recordId('a consumer')
const generation = wholeNumber('the generation of the consumer', 0, Number.MAX_SAFE_INTEGER)
const writtenAt = wholeNumber('the time of its last write in ms', 0, Number.MAX_SAFE_INTEGER).nullable()

export const consumerRouter = router({
  foreign: viewer.input(object({ id })).query(async ({ ctx, input }): Promise<ForeignConsumerView> => {
    const { services, caller } = ctx
    return foreignView(services, await foreignOr404(services, input.id), caller)
  }),

  /** `generation`, `writtenAt`: as shown. Returns the proposal when a second person must approve first. */
  release: proposer
    .on(object({ id, generation, writtenAt, reason }), (input) => [{ of: 'consumer', id: input.id }])
    .mutation(async ({ ctx, input }): Promise<{ released: boolean; proposal: string | null }> => {
      const { services, caller } = ctx
      const { amounts } = await foreignOr404(services, input.id)
      const { generation, writtenAt } = input
      const release = { consumer: input.id, generation, writtenAt, actor: actorOf(ctx, input.reason) }
      if (await mustAsk(services, caller, input.id)) {
        const host = amounts.find((each) => each.host !== null)?.host ?? null
        return { released: false, proposal: await propose(ctx, { kind: 'release', ...release, host }) }
      }
      await releaseConsumer(services, release)
      return { released: true, proposal: null }
    }),
})

async function foreignOr404({ database }: Pick<ApiServices, 'database'>, of: string): Promise<ForeignConsumer> {
  return (await readForeignConsumer(database, of)) ?? refuseUnknown('consumer of another owner', of)
}

/** A user who may not release alone proposes it; with two-person approval, so does everyone. */
const mustAsk = async (services: ApiServices, rights: Caller, consumer: string): Promise<boolean> => {
  const { ok } = await permitTo(services, { rights, capability: 'operate' }, [{ of: 'consumer', id: consumer }])
  return !ok || needsApproval(services, 'release')
}

async function foreignView(
  services: ApiServices,
  { owner, amounts, type, ...found }: ForeignConsumer,
  caller: Caller,
): Promise<ForeignConsumerView> {
  const [names, asks, proposal] = await Promise.all([
    namesOf(services, []),
    mustAsk(services, caller, found.id),
    readProposalOfConsumer(services.database, found.id),
  ])
  return {
    ...found,
    type: type === 'unknown' ? null : type,
    owner: { name: ownerName(owner), at: owner.at, request: owner.request },
    amounts: amounts.map(({ providerName, host, resourceClass, amount }) => ({
      ...{ provider: providerName, host: host === null ? null : names.host(host), resourceClass, amount },
    })),
    permit: await permitShown(services, { rights: caller, capability: 'propose' }, [{ of: 'consumer', id: found.id }]),
    asks,
    proposal: proposal && (await proposalView(services, proposal, { names, caller })),
  }
}
