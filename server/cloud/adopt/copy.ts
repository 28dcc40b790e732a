import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Amounts } from '../../engine/cloud/snapshot'
import { type CloudWrite, sendCall } from '../actor'
import type { CloudClient } from '../client'
import type { Transport } from '../http/transport'
import { type Consumer, type Inventory, type PlacementContents, type Provider, readContents, UNKNOWN } from './contents'
import { consumersOnlyIn, isSameConsumer, partsThatDiffer } from './differences'

// Copies the contents of one Placement to another. What is there already stays, so that a second copy writes only the
// changes. The copy must not be in use: allocations that differ are released before they are claimed again.

export interface CopyTarget {
  readonly client: CloudClient
  readonly transport: Transport
}

/** Consumers per request. */
const CONSUMERS_A_WRITE = 100
/** The lowest microversions that accept what is written. */
const WITH = {
  ...{ class: '1.7', trait: '1.6', newProvider: '1.20', provider: '1.37', inventories: '1.26', aggregates: '1.19' },
  ...{ allocations: '1.37', typed: '1.38' },
} as const
const MAX_INT = 2_147_483_647

type Write = Pick<CloudWrite, 'method' | 'path' | 'microversion' | 'body'>

/** Returns the number of writes. */
export async function copyContents(target: CopyTarget, from: PlacementContents): Promise<number> {
  let writes = 0
  const send = async (write: Write) => {
    writes++
    await sendCall(target.client, target.transport, { service: 'placement', ...write })
  }
  const to = await readContents(target.client)
  await release(send, from, to)
  for (const name of missing(from.classes, to.classes))
    await send({ method: 'PUT', path: `/resource_classes/${name}`, microversion: WITH.class, body: null })
  for (const name of missing(from.traits, to.traits))
    await send({ method: 'PUT', path: `/traits/${name}`, microversion: WITH.trait, body: null })
  const due = [...from.consumers].filter(([id, consumer]) => !isSameConsumer(consumer, to.consumers.get(id)))
  const claimed = new Set(due.flatMap(([, { allocations }]) => Object.keys(allocations)))
  const held = heldOn(from)
  const writer: ProviderWriter = { send, generationOf: (id) => generationOf(target.client, id) }
  const described = (provider: Provider): ProviderCopy => ({
    ...{ provider, before: to.providers.get(provider.id) },
    held: claimed.has(provider.id) ? (held.get(provider.id) ?? []) : [],
  })
  const providers = parentsFirst(from.providers)
  for (const provider of providers) await placeProvider(writer, provider, to.providers.get(provider.id))
  for (const provider of providers) await describeProvider(writer, described(provider))
  for (const isTyped of [true, false])
    for (const some of chunks(due.filter(([, { type }]) => (type !== UNKNOWN) === isTyped)))
      await send(claimOf(some, isTyped))
  for (const provider of providers) {
    const put = putBeforeClaims(described(provider))
    if (put !== null && !isDeepStrictEqual(put, provider.inventories))
      await putInventories(writer, provider.id, provider.inventories)
  }
  return writes
}

/** Releases what is in the way: allocations that differ or are gone, and names that now belong to another provider. */
async function release(send: (write: Write) => Promise<void>, from: PlacementContents, to: PlacementContents) {
  const stale = [...to.consumers].flatMap(([id, consumer]) =>
    from.consumers.has(id) && !isSameConsumer(consumer, from.consumers.get(id)) ? [id] : [],
  )
  for (const some of chunks([...consumersOnlyIn(to, from), ...stale])) await send(releaseOf(to, some))
  const named = new Map([...from.providers.values()].map(({ id, name }) => [name, id]))
  for (const { id, name } of to.providers.values())
    if ((named.get(name) ?? id) !== id)
      await send({ method: 'PUT', path: `/resource_providers/${id}`, microversion: WITH.provider, body: { name: id } })
}

const missing = (here: ReadonlySet<string>, there: ReadonlySet<string>) => [...here].filter((name) => !there.has(name))

function* chunks<T>(rows: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from < rows.length; from += CONSUMERS_A_WRITE) yield rows.slice(from, from + CONSUMERS_A_WRITE)
}

interface ProviderWriter {
  readonly send: (write: Write) => Promise<void>
  readonly generationOf: (id: string) => Promise<number>
}

const generationSchema = z.looseObject({ generation: z.number() })

async function generationOf(client: CloudClient, id: string): Promise<number> {
  const path = `/resource_providers/${id}`
  return (await client.get({ service: 'placement', path, answer: generationSchema })).value.generation
}

function parentsFirst(providers: ReadonlyMap<string, Provider>): readonly Provider[] {
  const depthOf = ({ parent }: Provider): number => {
    const above = parent === null ? undefined : providers.get(parent)
    return above === undefined ? 0 : 1 + depthOf(above)
  }
  const depths = new Map([...providers.values()].map((each) => [each, depthOf(each)]))
  return [...depths].sort(([, one], [, other]) => one - other).map(([provider]) => provider)
}

async function placeProvider({ send }: ProviderWriter, provider: Provider, before: Provider | undefined) {
  const { id, name, parent } = provider
  const of = { name, ...(parent !== null && { parent_provider_uuid: parent }) }
  if (before === undefined)
    return send({
      method: 'POST',
      path: '/resource_providers',
      microversion: WITH.newProvider,
      body: { uuid: id, ...of },
    })
  if (before.name === name && before.parent === parent) return
  const body = { name, parent_provider_uuid: parent }
  return send({ method: 'PUT', path: `/resource_providers/${id}`, microversion: WITH.provider, body })
}

interface ProviderCopy {
  readonly provider: Provider
  readonly before: Provider | undefined
  /** What each of its consumers holds of it in the original; empty when nothing of it is to be claimed. */
  readonly held: readonly Amounts[]
}

function heldOn({ consumers }: PlacementContents): ReadonlyMap<string, readonly Amounts[]> {
  const held = new Map<string, Amounts[]>()
  for (const { allocations } of consumers.values())
    for (const [provider, amounts] of Object.entries(allocations)) {
      const rows = held.get(provider) ?? []
      rows.push(amounts)
      held.set(provider, rows)
    }
  return held
}

async function describeProvider(writer: ProviderWriter, described: ProviderCopy): Promise<void> {
  const { provider, before } = described
  const { id, traits, aggregates } = provider
  const differs = new Set(before === undefined ? [] : partsThatDiffer(provider, before))
  const has = (rows: readonly string[]) => before === undefined && rows.length > 0
  const inventories = putBeforeClaims(described)
  if (inventories !== null) await putInventories(writer, id, inventories)
  const path = `/resource_providers/${id}`
  if (differs.has('traits') || has(traits)) {
    const body = { resource_provider_generation: await writer.generationOf(id), traits }
    await writer.send({ method: 'PUT', path: `${path}/traits`, microversion: WITH.trait, body })
  }
  if (differs.has('aggregates') || has(aggregates)) {
    const body = { resource_provider_generation: await writer.generationOf(id), aggregates }
    await writer.send({ method: 'PUT', path: `${path}/aggregates`, microversion: WITH.aggregates, body })
  }
}

async function putInventories(writer: ProviderWriter, id: string, inventories: Provider['inventories']) {
  const body = { resource_provider_generation: await writer.generationOf(id), inventories }
  const path = `/resource_providers/${id}/inventories`
  await writer.send({ method: 'PUT', path, microversion: WITH.inventories, body })
}

/**
 * Inventories under which everything can be claimed, even an excess after a total was lowered. Null: no write needed.
 */
function putBeforeClaims({ provider, before, held }: ProviderCopy): Provider['inventories'] | null {
  const { inventories } = provider
  const wide = Object.entries(inventories).map(([name, row]) => {
    const amounts = held.flatMap((each) => each[name] ?? [])
    return [name, fits(row, amounts) ? row : { ...WIDE, total: MAX_INT, max_unit: MAX_INT }] as const
  })
  const put = Object.fromEntries(wide)
  return isDeepStrictEqual(put, before?.inventories ?? {}) && isDeepStrictEqual(put, inventories) ? null : put
}

const WIDE = { reserved: 0, min_unit: 1, step_size: 1, allocation_ratio: 1 } as const

function fits(row: Inventory, amounts: readonly number[]): boolean {
  const sum = amounts.reduce((all, each) => all + each, 0)
  const isEach = amounts.every((each) => each >= row.min_unit && each <= row.max_unit && each % row.step_size === 0)
  return isEach && sum <= (row.total - row.reserved) * row.allocation_ratio
}

const allocationsOf = (allocations: Consumer['allocations']) =>
  Object.fromEntries(Object.entries(allocations).map(([provider, resources]) => [provider, { resources }]))

function releaseOf({ consumers }: PlacementContents, ids: readonly string[]): Write {
  const rows = ids.flatMap((id) => {
    const { project, user, generation } = consumers.get(id) ?? {}
    return project === undefined || user === undefined || generation === undefined
      ? []
      : [[id, { allocations: {}, project_id: project, user_id: user, consumer_generation: generation }] as const]
  })
  return { method: 'POST', path: '/allocations', microversion: WITH.allocations, body: Object.fromEntries(rows) }
}

function claimOf(consumers: readonly (readonly [string, Consumer])[], isTyped: boolean): Write {
  const rows = consumers.map(([id, { project, user, type, allocations }]) => {
    const of = {
      project_id: project,
      user_id: user,
      consumer_generation: null,
      ...(isTyped && { consumer_type: type }),
    }
    return [id, { allocations: allocationsOf(allocations), ...of }] as const
  })
  const microversion = isTyped ? WITH.typed : WITH.allocations
  return { method: 'POST', path: '/allocations', microversion, body: Object.fromEntries(rows) }
}
