import { readUsagesByType, type TypeUsage } from '../../../store/placement/usage'
import { notFound } from '../problem'
import { checkQuery, Schema } from '../schema/check'
import { knownId } from '../schema/ids'
import { NAME, object, since, TEXT_255 } from '../schema/parts'
import { type Answer, document, type PlacementCall } from '../wire'

const FILTERS = { project_id: TEXT_255, user_id: TEXT_255 }
const TYPE = { ...TEXT_255, pattern: `${NAME}|^all|^unknown$` }
const TOTAL = [
  [9, new Schema(object(FILTERS, ['project_id']))],
  [38, new Schema(object({ ...FILTERS, consumer_type: TYPE }, ['project_id']))],
] as const
const TYPES_FROM = 38

export async function showProviderUsages(ask: PlacementCall): Promise<Answer> {
  const { uuid = '' } = ask.params
  const id = knownId(uuid)
  const found = id && (await ask.services.usages(id))
  if (!found) {
    throw notFound(`No resource provider with uuid ${uuid} found: No resource provider with uuid ${uuid} found`)
  }
  return document(ask, { resource_provider_generation: found.generation, usages: found.usages })
}

export async function showUsages(ask: PlacementCall): Promise<Answer> {
  checkQuery(ask.query.values(), since(ask.minor, TOTAL))
  const project = ask.query.one('project_id') ?? ''
  const types = await readUsagesByType(ask.services.database, { project, user: ask.query.one('user_id') })
  if (ask.minor < TYPES_FROM) return document(ask, { usages: summed(types) })
  return document(ask, { usages: grouped(types, ask.query.one('consumer_type')) })
}

function summed(types: readonly TypeUsage[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { usages } of types) {
    for (const [of, amount] of Object.entries(usages)) sums[of] = (sums[of] ?? 0) + amount
  }
  return sums
}

/** `all` groups every type together; any other value selects that type. */
function grouped(types: readonly TypeUsage[], wanted: string | null) {
  if (wanted === 'all') {
    const consumers = types.reduce((sum, each) => sum + each.consumers, 0)
    return consumers === 0 ? {} : { all: { ...summed(types), consumer_count: consumers } }
  }
  const shown = wanted === null ? types : types.filter(({ type }) => type === wanted)
  return Object.fromEntries(
    shown.map(({ type, consumers, usages }) => [type, { ...usages, consumer_count: consumers }]),
  )
}
