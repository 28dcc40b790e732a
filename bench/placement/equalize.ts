import { isDeepStrictEqual } from 'node:util'
import type { NormalizedResponse } from './known'
import type { PlacementRequest } from './random-requests'

// Restores equal content on both servers after a known difference. Otherwise every later response would differ for the
// same reason.

const LAST = 39
const MAX_STEPS = 60 // largest gap between generations that a few requests can cause

export type PlacementClient = (base: string, asked: PlacementRequest) => Promise<NormalizedResponse>

export interface Sides {
  readonly berth: string
  readonly placement: string
  readonly ask: PlacementClient
}

const onBoth = ({ berth, placement, ask }: Sides, asked: PlacementRequest) =>
  Promise.all([ask(berth, asked), ask(placement, asked)])

/** Releases the allocations of these consumers on both servers. */
export async function release(sides: Sides, consumers: readonly string[]): Promise<void> {
  for (const consumer of consumers)
    await onBoth(sides, { method: 'DELETE', path: `/allocations/${consumer}`, minor: LAST })
}

/** Raises the lower generation of each provider to the higher one. Returns how many of them differed. */
export async function equalizeGenerations(sides: Sides, providers: readonly string[]): Promise<number> {
  let differed = 0
  for (const provider of providers) {
    const asked: PlacementRequest = { method: 'GET', path: `/resource_providers/${provider}`, minor: LAST }
    const [held, other] = await onBoth(sides, asked)
    const [ours, theirs] = [generationOf(held), generationOf(other)]
    if (ours === null || theirs === null || ours === theirs) continue
    differed += 1
    const steps = Math.abs(ours - theirs)
    if (steps > MAX_STEPS)
      throw new Error(`${provider} is at generation ${ours} in Berth and at ${theirs} in Placement`)
    for (let step = 0; step < steps; step++) await raise(sides, ours < theirs ? sides.berth : sides.placement, provider)
  }
  return differed
}

/**
 * After concurrent writes to one consumer, Placement may have lost the consumer but kept its allocation rows, which
 * usages still count. True if the two differ although Berth holds exactly what was requested.
 */
export async function hasLostConsumer(sides: Sides, asked: PlacementRequest, of: readonly string[]): Promise<boolean> {
  const [held, other] = await onBoth(sides, { method: 'GET', path: asked.path, minor: LAST })
  if (held.body === other.body && !(await usagesDiffer(sides, of))) return false
  if (!isDeepStrictEqual(amountsOf(JSON.parse(held.body)), amountsOf(asked.body))) return false
  return (await Promise.all(of.map((id) => addsUp(sides, id)))).every(Boolean)
}

/** Only another claim under the same id can remove the rows of a lost consumer. Returns true if there were any. */
export async function releaseLost(sides: Sides, asked: PlacementRequest, of: readonly string[]): Promise<boolean> {
  if (!(await usagesDiffer(sides, of))) return false
  const body = { ...(asked.body as object), ...(asked.minor >= WITH_GENERATION && { consumer_generation: null }) }
  await sides.ask(sides.placement, { method: 'PUT', path: asked.path, minor: asked.minor, body })
  await sides.ask(sides.placement, { method: 'DELETE', path: asked.path, minor: LAST })
  return true
}

const WITH_GENERATION = 28

async function usagesDiffer(sides: Sides, of: readonly string[]): Promise<boolean> {
  const paths = of.map((id) => `/resource_providers/${id}/usages`)
  const both = await Promise.all(paths.map((path) => onBoth(sides, { method: 'GET', path, minor: LAST })))
  return both.some(([ours, theirs]) => !isDeepStrictEqual(used(ours), used(theirs)))
}

const used = ({ status, body }: NormalizedResponse) => (status === 200 ? JSON.parse(body).usages : null)

type Resources = Readonly<Record<string, number>>

/** Amounts by provider from a body of any version: a list of allocations before 1.12, an object since. */
function amountsOf(body: unknown): Readonly<Record<string, Resources>> {
  const { allocations } = body as { readonly allocations: object }
  const entries = Array.isArray(allocations)
    ? allocations.map((each) => [each.resource_provider.uuid, each.resources])
    : Object.entries(allocations).map(([id, { resources }]) => [id, resources])
  return Object.fromEntries(entries)
}

/** Whether the allocations on a provider of Berth add up to its usages. */
async function addsUp({ berth, ask }: Sides, provider: string): Promise<boolean> {
  const get = async (of: string) => {
    const { status, body } = await ask(berth, {
      method: 'GET',
      path: `/resource_providers/${provider}/${of}`,
      minor: LAST,
    })
    return status === 200 ? JSON.parse(body) : null
  }
  const [allocated, counted] = await Promise.all([get('allocations'), get('usages')])
  if (allocated === null || counted === null) return allocated === counted
  const sums: Record<string, number> = Object.fromEntries(Object.keys(counted.usages).map((of) => [of, 0]))
  for (const { resources } of Object.values(allocated.allocations) as { resources: Resources }[])
    for (const [of, amount] of Object.entries(resources)) sums[of] = (sums[of] ?? 0) + amount
  return isDeepStrictEqual(sums, counted.usages)
}

const generationOf = ({ status, body }: NormalizedResponse): number | null =>
  status === 200 ? JSON.parse(body).generation : null

/** Writes the same aggregates again, which changes only the generation. */
async function raise({ ask }: Sides, base: string, provider: string): Promise<void> {
  const path = `/resource_providers/${provider}/aggregates`
  const { body } = await ask(base, { method: 'GET', path, minor: LAST })
  await ask(base, { method: 'PUT', path, minor: LAST, body: JSON.parse(body) })
}

/** In a race for one path Berth may have let one request win and Placement none. Copies Berth's content over. */
export async function equalizeContents(sides: Sides, path: string): Promise<void> {
  const get: PlacementRequest = { method: 'GET', path, minor: LAST }
  const [ours, theirs] = await onBoth(sides, get)
  if (ours.status !== 200 || theirs.status !== 200) return
  const [held, other] = [JSON.parse(ours.body), JSON.parse(theirs.body)]
  const generation = { resource_provider_generation: other.resource_provider_generation }
  if (isDeepStrictEqual({ ...held, ...generation }, other)) return
  await sides.ask(sides.placement, { ...get, method: 'PUT', body: { ...held, ...generation } })
}
