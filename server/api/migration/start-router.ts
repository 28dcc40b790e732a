import { z } from 'zod'
import type { Host } from '../../engine/host'
import { OPERATIONS } from '../../engine/migration/state'
import { STORAGE_MODES } from '../../engine/storage/storage'
import type { MappingView } from '../claim/mapping'
import { type ExplainRequest, requestForBuild, requestForMigration } from '../explain/question'
import { summaryView } from '../explain/summary'
import {
  countsOf,
  evaluateHosts,
  type HostVerdict,
  heldOfDemand,
  type MigrationVerdictsView,
  planMapping,
  verdictsInShort,
  verdictsOf,
} from '../explain/verdicts'
import { silenceOf } from '../host/fleet-now'
import type { Ms } from '../plain'
import { groupId, hostId, instanceId, line, object, oneOf, reason } from '../procedure/inputs'
import { type CallerContext, operator, router, support } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'
import { estimateOfMigration, type MigrationEstimate } from '../run/estimate'
import type { ApiServices } from '../services'
import { startMigration } from './start'
import { measureMemory, type TransferEstimateView, transferEstimateOf } from './transfer-estimate'

/** The claim that would be made on one host now; built from the same decision as the claim itself (I7). */
export interface PlanView {
  /** Every reason in full. */
  readonly verdict: HostVerdict
  /** Old → new as the claim would be; null when it is refused. */
  readonly mapping: MappingView | null
  /**
   * Since when a host that is recorded as up does not answer, which does not change the decision. Null when it answers.
   */
  readonly silence: { readonly since: Ms | null } | null
}

/** The same for a migration or a build that could be started. */
export interface MigrationPlanView extends PlanView {
  /** By earlier migrations; null for a build, and without a baseline. */
  readonly estimate: MigrationEstimate | null
  /** For a live migration to a real host; null otherwise. */
  readonly transfer: TransferEstimateView | null
}

const flavorName = line('the name of a flavor')
const imageName = line('the name of an image')
const migrationFields = {
  for: z.literal('migrate'),
  instance: instanceId,
  operation: oneOf(OPERATIONS),
  flavor: flavorName.optional(),
  image: imageName.optional(),
  storage: oneOf(STORAGE_MODES).optional(),
}
const buildFields = {
  for: z.literal('build'),
  flavor: flavorName,
  image: imageName,
  zone: line('a zone').optional(),
  group: groupId.optional(),
}
const eitherOne = { error: 'expected an object with `for` set to migrate or build' }
const explainInput = z.discriminatedUnion('for', [object(migrationFields), object(buildFields)], eitherOne)
const planInput = z.discriminatedUnion(
  'for',
  [object({ ...migrationFields, host: hostId }), object({ ...buildFields, host: hostId })],
  eitherOne,
)
const startInput = object({
  instance: instanceId,
  operation: oneOf(OPERATIONS),
  host: hostId.optional(),
  flavor: flavorName.optional(),
  image: imageName.optional(),
  storage: oneOf(STORAGE_MODES).optional(),
  reason: reason.optional(),
})

export const migrationStartRouter = router({
  /** Every host's verdict with its rules, by the claim's own decision (I7). */
  explain: support.input(explainInput).query(async ({ ctx, input }): Promise<MigrationVerdictsView> => {
    const { services } = ctx
    const began = performance.now()
    const seq = String(services.feed.head)
    const request = await explainRequestOf(ctx, input)
    const all = evaluateHosts(request)
    return {
      permit: request.permit,
      demand: heldOfDemand(request.question.demand),
      counts: countsOf(all),
      summary: await summaryView(services, all),
      policy: request.rules.policy,
      hosts: await verdictsInShort(services, request, all),
      tookMs: Math.round(performance.now() - began),
      seq,
    }
  }),

  /** The claim that would be made on one host now. */
  plan: support.input(planInput).query(async ({ ctx, input }): Promise<MigrationPlanView> => {
    const { services } = ctx
    const host = services.fleet.host(input.host) ?? refuseUnknown('host', input.host)
    const request = await explainRequestOf(ctx, input)
    const here = request.hosts.filter((each) => each.id === host.id)
    const [verdict] = await verdictsOf(services, { ...request, hosts: here })
    if (!verdict) refuseElsewhere(host)
    const [silence, estimate, transfer] = await Promise.all([
      silenceOf(services, host),
      estimateFor(services, input, request),
      input.for === 'migrate' && input.operation === 'live-migrate'
        ? transferEstimateOf(services, { instance: input.instance, target: host.id })
        : null,
    ])
    return { verdict, mapping: planMapping(request, host), silence, estimate, transfer }
  }),

  measureMemory,

  /** Accepts a migration and returns immediately; the conductor runs it. */
  start: operator
    .on(startInput, ({ instance, host }) => [
      { of: 'instance', id: instance },
      host === undefined ? { of: 'chosen' } : { of: 'host', id: host },
    ])
    .mutation(({ ctx, input }): Promise<{ migration: string }> => startMigration(ctx, input)),
})

type ExplainInput = z.output<typeof explainInput>

/** For this user: hosts outside of their scope refuse. */
function explainRequestOf({ services, caller: rights }: CallerContext, input: ExplainInput): Promise<ExplainRequest> {
  return input.for === 'migrate'
    ? requestForMigration(services, { ...input, rights })
    : requestForBuild(services, { ...input, rights })
}

function estimateFor(
  { database }: ApiServices,
  input: z.output<typeof planInput>,
  { now }: ExplainRequest,
): Promise<MigrationEstimate | null> {
  if (input.for === 'build') return Promise.resolve(null)
  return estimateOfMigration(database, { operation: input.operation, source: now?.host.id ?? null, target: input.host })
}

/** A rebuild stays on its host, so there is nothing to plan on another. */
function refuseElsewhere(host: Host): never {
  const about = { what: `Plan on ${host.name}`, where: host.name }
  return refuse('not-permitted', { ...about, need: 'the host it is on', have: 'this operation stays on its host' })
}
