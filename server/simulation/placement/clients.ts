import { randomUUID } from 'node:crypto'
import type { Chance } from '../chance'
import type { History, Holding } from './history'
import { NOTHING_HELD } from './history'
import { CLASS, consumerBody, holdingOf, outcomeOf, type Reply, send } from './wire'

// Clients that write concurrently through several copies. Each request goes to a random copy, so a write through one
// copy is often read through another. Records the history that laws.ts judges.

type MutableLists<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }
export type MutableHistory = MutableLists<Omit<History, 'capacity' | 'ends'>>

export interface ClientContext {
  readonly chance: Chance
  readonly record: MutableHistory
  /** Copies that serve now. */
  readonly copies: () => readonly string[]
  /** A few nearly full providers, for which all clients compete. */
  readonly shared: readonly string[]
  /** Consumers that all clients write. Their allocations are on `wide`, which has room for all of them. */
  readonly contested: readonly string[]
  readonly wide: string
  /** A provider whose total all clients increment. */
  readonly counter: string
}

interface Client extends ClientContext {
  /** Written by this client only. */
  readonly own: string[]
  /** A provider for this client only; null once it is unknown whether a lost write used it. */
  alone: string | null
}

const CONSUMERS_EACH = 3
const MAX_AMOUNT = 4
const ACTIONS = { claim: 6, move: 2, fill: 1, count: 2, contest: 2, look: 2 } as const

/** `alone`: a provider for this client only, with a total of 1. Calls `goesOn` before each action. */
export async function runClient(
  context: ClientContext,
  alone: string,
  goesOn: (round: number) => boolean,
): Promise<void> {
  const own = Array.from({ length: CONSUMERS_EACH }, () => randomUUID())
  const client: Client = { ...context, own, alone }
  const acts = { claim, move, fill, count, contest, look: readUsage }
  for (let round = 0; goesOn(round); round++) await acts[context.chance.weighted(ACTIONS)](client)
}

const ask = ({ chance, copies }: ClientContext, what: string, body?: unknown): Promise<Reply> => {
  const url = chance.pick(copies())
  if (url === undefined) throw new Error('no copy is running')
  return send(url, what, body)
}

interface ConsumerState {
  readonly holding: Holding
  /** Null: no such consumer. */
  readonly generation: number | null
}

/** Reads one of the client's own consumers while it does not write it; null without a response. */
async function readConsumer(client: Client, consumer: string): Promise<ConsumerState | null> {
  const { status, json, startMs, endMs } = await ask(client, `GET /allocations/${consumer}`)
  if (status === null) return null
  const holding = holdingOf(json)
  client.record.reads.push({ consumer, saw: holding, startMs, endMs })
  return { holding, generation: json.consumer_generation ?? null }
}

/** Records the outcome of the writes in one request. Replaces consumers whose state is unknown. */
function note(client: Client, reply: Reply, writes: readonly { consumer: string; to: Holding }[]): void {
  if (reply.unsent) return
  const outcome = outcomeOf(reply)
  const { startMs, endMs } = reply
  const action = client.record.writes.length
  for (const { consumer, to } of writes) {
    client.record.writes.push({ consumer, to, outcome, startMs, endMs, action })
    if (outcome !== 'lost') continue
    client.own[client.own.indexOf(consumer)] = randomUUID()
    client.alone = null
  }
}

async function claim(client: Client): Promise<void> {
  const { chance, own, shared } = client
  const consumer = chance.pick(own)!
  const was = await readConsumer(client, consumer)
  if (was === null) return
  const releases = was.generation !== null && chance.permille(400)
  const to = releases ? NOTHING_HELD : { provider: chance.pick(shared)!, amount: 1 + chance.below(MAX_AMOUNT) }
  const reply = releases
    ? await ask(client, `DELETE /allocations/${consumer}`)
    : await ask(client, `PUT /allocations/${consumer}`, consumerBody(to, was.generation))
  note(client, reply, [{ consumer, to }])
}

/** Moves the amount of one consumer to another, in one request. */
async function move(client: Client): Promise<void> {
  const { chance, own, shared } = client
  const [from, to] = [own[0]!, own[1]!]
  const [giver, taker] = [await readConsumer(client, from), await readConsumer(client, to)]
  if (giver?.generation == null || taker === null || taker.generation !== null) return claim(client)
  const taken = { provider: chance.pick(shared)!, amount: giver.holding.amount }
  const reply = await ask(client, 'POST /allocations', {
    [from]: consumerBody(NOTHING_HELD, giver.generation),
    [to]: consumerBody(taken, null),
  })
  note(client, reply, [
    { consumer: from, to: NOTHING_HELD },
    { consumer: to, to: taken },
  ])
}

/** Fills or empties the provider of this client only, then requests its candidates from a random copy. */
async function fill(client: Client): Promise<void> {
  const { alone, own, record } = client
  if (alone === null) return claim(client)
  const consumer = own[CONSUMERS_EACH - 1]!
  const was = await readConsumer(client, consumer)
  if (was === null) return
  const isFull = was.holding.provider !== alone
  const to = isFull ? { provider: alone, amount: 1 } : NOTHING_HELD
  const reply = isFull
    ? await ask(client, `PUT /allocations/${consumer}`, consumerBody(to, was.generation))
    : await ask(client, `DELETE /allocations/${consumer}`)
  note(client, reply, [{ consumer, to }])
  if (reply.status === null || reply.status >= 300) return
  const found = await ask(client, `GET /allocation_candidates?resources=${CLASS}:1&in_tree=${alone}`)
  if (found.status === null) return
  const { startMs, endMs, json } = found
  record.candidates.push({ provider: alone, isFull, found: json.allocation_requests.length, startMs, endMs })
}

/** Increments the provider's total, guarded by its generation. */
async function count(client: Client): Promise<void> {
  const { counter } = client
  const { status, json } = await ask(client, `GET /resource_providers/${counter}/inventories/${CLASS}`)
  if (status === null) return
  const { resource_provider_generation, total } = json
  const body = { resource_provider_generation, total: total + 1 }
  const reply = await ask(client, `PUT /resource_providers/${counter}/inventories/${CLASS}`, body)
  noteGuarded(client, reply, { thing: counter, generation: resource_provider_generation })
}

/** Writes a consumer that other clients also write. */
async function contest(client: Client): Promise<void> {
  const { chance, contested, wide } = client
  const thing = chance.pick(contested)!
  const { status, json } = await ask(client, `GET /allocations/${thing}`)
  if (status === null) return
  const generation: number = json.consumer_generation
  const to = { provider: wide, amount: 1 + chance.below(MAX_AMOUNT) }
  noteGuarded(client, await ask(client, `PUT /allocations/${thing}`, consumerBody(to, generation)), {
    thing,
    generation,
  })
}

function noteGuarded(client: Client, reply: Reply, what: { thing: string; generation: number }): void {
  if (reply.unsent) return
  const { startMs, endMs } = reply
  client.record.guarded.push({ ...what, outcome: outcomeOf(reply), startMs, endMs })
}

async function readUsage(client: Client): Promise<void> {
  const provider = client.chance.pick(client.shared)!
  const { status, json, startMs, endMs } = await ask(client, `GET /resource_providers/${provider}/usages`)
  if (status !== null) client.record.uses.push({ provider, used: json.usages[CLASS] ?? 0, startMs, endMs })
}
