import { randomUUID } from 'node:crypto'
import type { PlacementApi } from '../../api/placement/opened'
import type { Database } from '../../store/database/database'
import type { Chance } from '../chance'

// A client such as Nova that shares Berth's database through the Placement API. It has its own provider trees and
// makes allocations wherever it may, on Berth's hosts as well.

export interface NovaLikeContext {
  readonly api: PlacementApi
  readonly database: Database
  readonly chance: Chance
  /** Providers of Berth's hosts, including child providers, each with one of its resource classes. */
  readonly hosted: readonly (readonly [provider: string, resourceClass: string])[]
}

export interface NovaLike {
  /** Makes one random write and returns the response status. */
  step(): Promise<number>
  /** All rows of this client, each as text. */
  rows(): Promise<readonly string[]>
}

const CONSUMERS = 40
const TYPES = ['INSTANCE', 'INSTANCE', 'MIGRATION', 'VOLUME', null, null] as const
const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB'] as const
const TOTAL = 10_000

export async function openNovaLike(context: NovaLikeContext): Promise<NovaLike> {
  const { chance } = context
  const trees = await makeTrees(context)
  const consumers = Array.from({ length: CONSUMERS }, () => randomUUID())
  const places = [...trees.flatMap((tree) => CLASSES.map((of) => [tree, of] as const)), ...context.hosted]

  const held = () => {
    const spots = [chance.pick(places)!, ...(chance.permille(400) ? [chance.pick(places)!] : [])]
    return Object.fromEntries(spots.map(([at, of]) => [at, { resources: { [of]: 1 + chance.below(3) } }]))
  }
  const body = async (id: string, allocations: object, type: (typeof TYPES)[number]) => {
    const { json } = await ask(context, `GET /allocations/${id}`)
    const generation = json.consumer_generation ?? null
    const owners = { project_id: 'p', user_id: 'u', consumer_generation: generation }
    return { allocations, ...owners, ...(type !== null && { consumer_type: type }) }
  }
  const minorOf = (type: (typeof TYPES)[number]) => (type === null ? 36 : 39)

  const acts = {
    put: async () => {
      const [id, type] = [chance.pick(consumers)!, chance.pick(TYPES)!]
      return ask(context, `PUT /allocations/${id} ${minorOf(type)}`, await body(id, held(), type))
    },
    post: async () => {
      const [one, other, type] = [chance.pick(consumers)!, chance.pick(consumers)!, chance.pick(TYPES)!]
      const all = { [one]: await body(one, {}, type), [other]: await body(other, held(), type) }
      return ask(context, `POST /allocations ${minorOf(type)}`, all)
    },
    remove: () => ask(context, `DELETE /allocations/${chance.pick(consumers)!}`),
    inventories: async () => {
      const tree = chance.pick(trees)!
      return ask(context, `PUT /resource_providers/${tree}/inventories`, await shape(tree))
    },
    reshape: async () => {
      const [tree, id] = [chance.pick(trees)!, chance.pick(consumers)!]
      const allocations = { [tree]: { resources: { VCPU: 1 + chance.below(3) } } }
      const inventories = { [tree]: await shape(tree) }
      return ask(context, 'POST /reshaper', {
        inventories,
        allocations: { [id]: await body(id, allocations, 'INSTANCE') },
      })
    },
  }
  const shape = async (tree: string) => {
    const { json } = await ask(context, `GET /resource_providers/${tree}`)
    const total = TOTAL + chance.below(100)
    const inventories = Object.fromEntries(CLASSES.map((of) => [of, { total }]))
    return { resource_provider_generation: json.generation, inventories }
  }
  return {
    step: async () => {
      const act = chance.weighted({ put: 10, post: 4, remove: 2, inventories: 1, reshape: 2 })
      return (await acts[act]()).status
    },
    rows: () => rowsOf(context.database, trees),
  }
}

/** A root provider with a child, and a root provider with the sharing trait. */
async function makeTrees(context: NovaLikeContext): Promise<readonly string[]> {
  const trees: string[] = []
  for (const parent of [false, true, false]) {
    const uuid = randomUUID()
    await ask(context, 'POST /resource_providers', { name: uuid, uuid, parent_provider_uuid: parent ? trees[0] : null })
    const inventories = Object.fromEntries(CLASSES.map((of) => [of, { total: TOTAL }]))
    const path = `PUT /resource_providers/${uuid}/inventories`
    await ask(context, path, { resource_provider_generation: 0, inventories })
    trees.push(uuid)
  }
  const traits = { traits: ['MISC_SHARES_VIA_AGGREGATE'], resource_provider_generation: 1 }
  await ask(context, `PUT /resource_providers/${trees[2]}/traits`, traits)
  return trees
}

interface Answer {
  readonly status: number
  readonly json: { readonly consumer_generation?: number | null; readonly generation?: number }
}

async function ask({ api }: NovaLikeContext, what: string, payload?: unknown): Promise<Answer> {
  const [method = '', path = '', minor = '39'] = what.split(' ')
  const headers = {
    ...{ accept: 'application/json', 'x-auth-token': 'nova', 'x-roles': 'admin' },
    ...{ 'openstack-api-version': `placement 1.${minor}` },
    ...(payload !== undefined && { 'content-type': 'application/json' }),
  }
  const body = payload === undefined ? {} : { body: JSON.stringify(payload) }
  const response = await api.respond(new Request(`http://berth.test/placement${path}`, { method, headers, ...body }))
  const text = await response.text()
  if (response.status >= 500) throw new Error(`${what}: ${response.status} ${text}`)
  return { status: response.status, json: text.startsWith('{') ? JSON.parse(text) : {} }
}

/** Every row of this client: its consumers, their allocations, and inventories and traits of its trees. */
async function rowsOf({ pool }: Database, trees: readonly string[]): Promise<readonly string[]> {
  const { rows } = await pool.query<{ row: string }>(
    `select to_jsonb(c)::text as row from consumer c where c.owner_name = 'nova'
     union all select (to_jsonb(a) - 'since')::text from allocation a join consumer c on c.id = a.consumer_id
       where c.owner_name = 'nova'
     union all select to_jsonb(i)::text from inventory i where i.provider_id = any($1)
     union all select to_jsonb(t)::text from provider_trait t where t.provider_id = any($1)
     order by 1`,
    [trees],
  )
  return rows.map(({ row }) => row)
}
