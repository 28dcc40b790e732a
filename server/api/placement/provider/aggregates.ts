import { readProviderAggregates, setProviderAggregates } from '../../../store/placement/aggregate'
import { CODES, conflict } from '../problem'
import { checkedJson, Schema } from '../schema/check'
import { dashed, knownId } from '../schema/ids'
import { object, UUID } from '../schema/parts'
import { type Answer, document, type PlacementCall } from '../wire'
import { GENERATION_CHANGED, noProvider } from './problems'
import { mustExist } from './providers'

const LIST = { type: 'array', items: UUID, uniqueItems: true }
const SET_BARE = new Schema(LIST)
const SET = new Schema(
  object({ aggregates: LIST, resource_provider_generation: { type: 'integer' } }, [
    ...['aggregates', 'resource_provider_generation'],
  ]),
)
const GUARDED_FROM = 19

export async function showAggregates(ask: PlacementCall): Promise<Answer> {
  const { uuid = '' } = ask.params
  const id = knownId(uuid)
  const found = id && (await readProviderAggregates(ask.services.database, id))
  if (!found) throw noProvider(uuid)
  return view(ask, found.aggregates, found.generation)
}

const view = (ask: PlacementCall, aggregates: readonly string[], generation: number) =>
  document(ask, { aggregates, ...(ask.minor >= GUARDED_FROM && { resource_provider_generation: generation }) })

export async function putAggregates(ask: PlacementCall): Promise<Answer> {
  const { uuid = '' } = ask.params
  const provider = await mustExist(ask)
  const body = await ask.call.body()
  const { aggregates, resource_provider_generation: generation } = requestedAggregates(ask.minor, body)
  const write = { provider, generation, aggregates: aggregates.map(dashed) }
  const answer = await setProviderAggregates(ask.services.database, write, ask.writer)
  if (answer.ok) return view(ask, aggregates, Number(answer.value))
  if (answer.refused.kind === 'generation') throw conflict(GENERATION_CHANGED, CODES.raced)
  throw noProvider(uuid)
}

interface AggregatesBody {
  readonly aggregates: readonly string[]
  readonly resource_provider_generation: number | null
}

function requestedAggregates(minor: number, body: Buffer): AggregatesBody {
  if (minor >= GUARDED_FROM) return checkedJson<AggregatesBody>(body, SET)
  return { aggregates: checkedJson<string[]>(body, SET_BARE), resource_provider_generation: null }
}
