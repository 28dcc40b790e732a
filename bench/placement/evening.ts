import { isDeepStrictEqual } from 'node:util'
import type { Asked } from './asking'
import type { Answered } from './known'

// Where the two part by design, what they hold is made equal again before the next request: else everything that
// follows would differ for one known reason.

const LAST = 39
const MOST_STEPS = 60 // generations that a few requests can put between the two

export type Ask = (base: string, asked: Asked) => Promise<Answered>

export interface Sides {
  readonly berth: string
  readonly placement: string
  readonly ask: Ask
}

/** Both give back what these consumers hold. */
export async function release({ berth, placement, ask }: Sides, consumers: readonly string[]): Promise<void> {
  for (const consumer of consumers) {
    const asked: Asked = { method: 'DELETE', path: `/allocations/${consumer}`, minor: LAST }
    await Promise.all([ask(berth, asked), ask(placement, asked)])
  }
}

/** Raises the lower generation of each provider to the higher one. Returns how many of them differed. */
export async function evenGenerations(sides: Sides, providers: readonly string[]): Promise<number> {
  let differed = 0
  for (const provider of providers) {
    const [ours, theirs] = await Promise.all([
      generationOf(sides, sides.berth, provider),
      generationOf(sides, sides.placement, provider),
    ])
    if (ours === null || theirs === null || ours === theirs) continue
    differed += 1
    const steps = Math.abs(ours - theirs)
    if (steps > MOST_STEPS) throw new Error(`${provider} is at generation ${ours} here and at ${theirs} there`)
    for (let step = 0; step < steps; step++) await raise(sides, ours < theirs ? sides.berth : sides.placement, provider)
  }
  return differed
}

async function generationOf({ ask }: Sides, base: string, provider: string): Promise<number | null> {
  const { status, body } = await ask(base, { method: 'GET', path: `/resource_providers/${provider}`, minor: LAST })
  return status === 200 ? JSON.parse(body).generation : null
}

/** The same aggregates once more: nothing changes but the generation. */
async function raise({ ask }: Sides, base: string, provider: string): Promise<void> {
  const path = `/resource_providers/${provider}/aggregates`
  const { body } = await ask(base, { method: 'GET', path, minor: LAST })
  await ask(base, { method: 'PUT', path, minor: LAST, body: JSON.parse(body) })
}

/** Of several that raced for one address ours may have let one win and the real one none: it is given what ours holds. */
export async function evenContents(sides: Sides, path: string): Promise<void> {
  const get = { method: 'GET', path, minor: LAST }
  const [ours, theirs] = await Promise.all([sides.ask(sides.berth, get), sides.ask(sides.placement, get)])
  if (ours.status !== 200 || theirs.status !== 200) return
  const [held, other] = [JSON.parse(ours.body), JSON.parse(theirs.body)]
  const generation = { resource_provider_generation: other.resource_provider_generation }
  if (isDeepStrictEqual({ ...held, ...generation }, other)) return
  await sides.ask(sides.placement, { ...get, method: 'PUT', body: { ...held, ...generation } })
}
