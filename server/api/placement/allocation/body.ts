import type { AllocationLine, ConsumerWrite } from '../../../engine/ledger/allocations'
import { badRequest } from '../problem'
import { Schema, type SchemaObject } from '../schema/check'
import { knownId } from '../schema/ids'
import { keyed, NAME, object, SUFFIX_WORD, TEXT_255, UUID, UUID_KEY } from '../schema/parts'

// Requested allocations of a consumer, in the six formats of the API's versions.

const AMOUNTS = keyed(NAME, { type: 'integer', minimum: 1 }, { minProperties: 1 })
const GENERATION = { type: ['integer', 'null'] }
const OWNERS = { project_id: TEXT_255, user_id: TEXT_255 }

const HOLDING = object({ generation: { type: 'integer' }, resources: AMOUNTS }, ['resources'])
const holdings = (minProperties: number) => keyed(UUID_KEY, HOLDING, { minProperties })

// For an unknown name and a missing one, Placement reports the former first in some places.
const extrasFirst = (properties: SchemaObject, required: readonly string[]) => {
  const { required: missing, ...rest } = object(properties, required)
  return { ...rest, required: missing }
}

const LINE = object({ resource_provider: extrasFirst({ uuid: UUID }, ['uuid']), resources: AMOUNTS }, [
  ...['resource_provider', 'resources'],
])
const LINES = { type: 'array', minItems: 1, items: LINE }

const MAPPINGS = {
  type: 'object',
  minProperties: 1,
  patternProperties: { [SUFFIX_WORD]: { type: 'array', minItems: 1, items: UUID } },
}
const CONSUMER_TYPE = { type: 'string', pattern: NAME, minLength: 1, maxLength: 255 }

const OWNED = ['allocations', 'project_id', 'user_id']
const GUARDED = [...OWNED, 'consumer_generation']
const fields12 = (minProperties: number) => ({ allocations: holdings(minProperties), ...OWNERS })
const fields28 = { ...fields12(0), consumer_generation: GENERATION }
const fields34 = { ...fields28, mappings: MAPPINGS }
const fields38 = { ...fields34, consumer_type: CONSUMER_TYPE }

/** One consumer, from each version on. */
export const ONE_CONSUMER = [
  [0, new Schema(object({ allocations: LINES }, ['allocations']))],
  [8, new Schema(object({ allocations: LINES, ...OWNERS }, OWNED))],
  [12, new Schema(extrasFirst(fields12(1), OWNED))],
  [28, new Schema(extrasFirst(fields28, GUARDED))],
  [34, new Schema(extrasFirst(fields34, GUARDED))],
  [38, new Schema(extrasFirst(fields38, [...GUARDED, 'consumer_type']))],
] as const

const CONSUMERS = [
  [13, extrasFirst(fields12(0), OWNED)],
  [28, extrasFirst(fields28, GUARDED)],
  [34, extrasFirst(fields34, GUARDED)],
  [38, extrasFirst(fields38, [...GUARDED, 'consumer_type'])],
] as const

/** Several consumers by their ids; at least this many. */
export const severalConsumers = (least: number): readonly (readonly [number, SchemaObject])[] =>
  CONSUMERS.map(([from, consumer]) => [from, keyed(UUID_KEY, consumer, { minProperties: least })])

export interface ConsumerBody {
  readonly allocations: Lines | AllocationsByProvider
  readonly project_id?: string
  readonly user_id?: string
  readonly consumer_generation?: number | null
  readonly consumer_type?: string
}

type Resources = Readonly<Record<string, number>>
type Lines = readonly { readonly resource_provider: { readonly uuid: string }; readonly resources: Resources }[]
type AllocationsByProvider = Readonly<Record<string, { readonly resources: Resources }>>

const isLines = (allocations: Lines | AllocationsByProvider): allocations is Lines => Array.isArray(allocations)

const GUARDED_FROM = 28
/** Amounts are capped to fit bigint; no inventory is as large, so the claim is refused anyway. */
const MAX_AMOUNT = Number.MAX_SAFE_INTEGER
/** The project and user of consumers whose client names none (below 1.8). */
const INCOMPLETE_CONSUMER_ID = '00000000-0000-0000-0000-000000000000'

/** Keys that differ only in case are different for JSON and the same uuid, so it is unknown which of them counts. */
export function refuseRepeated(what: string, ids: readonly string[]): void {
  const seen = new Set<string>()
  for (const id of ids) {
    if (seen.has(id)) throw badRequest(`${what} ${id} is named more than once, in upper and lower case.`)
    seen.add(id)
  }
}

/** `id` in its usual spelling. */
export function consumerOf(id: string, body: ConsumerBody, minor: number): ConsumerWrite {
  return {
    id,
    generation: body.consumer_generation ?? null,
    checked: minor >= GUARDED_FROM,
    project: body.project_id ?? INCOMPLETE_CONSUMER_ID,
    user: body.user_id ?? INCOMPLETE_CONSUMER_ID,
    type: body.consumer_type ?? null,
    amounts: amountsOf(body.allocations),
  }
}

function amountsOf(allocations: Lines | AllocationsByProvider): AllocationLine[] {
  // For a provider named twice in the old form, the last line counts.
  const held: AllocationsByProvider = isLines(allocations)
    ? Object.fromEntries(allocations.map(({ resource_provider: { uuid }, resources }) => [uuid, { resources }]))
    : allocations
  const amounts: AllocationLine[] = []
  const providers: string[] = []
  for (const [named, { resources }] of Object.entries(held)) {
    const provider = knownId(named) ?? named
    providers.push(provider)
    for (const [resourceClass, amount] of Object.entries(resources)) {
      amounts.push({ provider, resourceClass, amount: Math.min(amount, MAX_AMOUNT) })
    }
  }
  if (providers.length > 1) refuseRepeated('Resource provider', providers)
  return amounts
}
