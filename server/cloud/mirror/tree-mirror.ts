import { setImmediate as nextTurn } from 'node:timers/promises'
import { isEnded } from '../../engine/cloud/history'
import type { AvailablePart, CloudConsumer, CloudMigration, CloudServer, Part } from '../../engine/cloud/snapshot'
import type { CloudClient } from '../client'
import { newest, unreadPart } from './parts'
import { type MirroredProvider, readTrees, rereadAllocations } from './placement-trees'

// The Placement part of a cloud's mirror. Claims are read when a generation shows them; releases where they are
// suspected, and otherwise round robin.

/** Clocks of a cloud's servers differ; an answer dated earlier than a list by more than this preceded it. */
const SKEW_MS = 2_000
/** Interval for reading suspect allocations again. */
const DOUBTED_MS = 30_000
/**
 * Time in which the allocations of all providers are read again, or longer if MAX_PROVIDERS_PER_POLL limits it: nothing reports a
 * release made without Nova.
 */
const ALL_ALLOCATIONS_MS = 5 * 60_000
/** Providers whose allocations alone are read per poll. */
const MAX_PROVIDERS_PER_POLL = 20
/** Providers scanned before yielding to the event loop. */
const PROVIDERS_A_TURN = 100

const SEVERAL = Symbol('nodes')

type Trees = ReadonlyMap<string, MirroredProvider>

export interface Holders {
  readonly servers: ReadonlyMap<string, CloudServer>
  readonly migrations: ReadonlyMap<string, CloudMigration>
  /** Names of nodes, by the id of their provider. */
  readonly nodes: ReadonlyMap<string, string>
}

/**
 * Consumers that should hold nothing of it by Nova's records (an instance on another node, an ended migration, unknown
 * ones), each with its record: a later write is a new reason, and is not deferred because of an earlier one.
 */
function maybeReleased({ provider }: MirroredProvider, { servers, migrations, nodes }: Holders): readonly string[] {
  if (!provider.allocations.isRead) return []
  const node = nodes.get(provider.root)
  return [...provider.allocations.value.keys()].flatMap((id) => {
    const server = servers.get(id)
    if (server !== undefined) {
      // Shared storage belongs to no node.
      const isElsewhere = server.host === null || (node !== undefined && server.node !== node)
      return isElsewhere ? [`${id} ${server.node} ${server.updatedAt}`] : []
    }
    const migration = migrations.get(id)
    if (migration === undefined) return [id]
    return isEnded(migration) ? [`${id} ${migration.status} ${migration.updatedAt}`] : []
  })
}

export class TreeMirror {
  readonly #client: CloudClient
  #part: Part<Trees> = unreadPart()
  /** `provider consumer record` that may be released by now, and when the provider was read for it. */
  #doubted: ReadonlyMap<string, number> = new Map()
  /** Position in the round robin of providers, and the time of its previous step. */
  #turn = 0
  #turnAt: number | null = null

  constructor(client: CloudClient) {
    this.#client = client
  }

  get part(): Part<Trees> {
    return this.#part
  }

  /** Reads everything; returns the present answer. */
  async whole(): Promise<Part<Trees>> {
    const read = await readTrees(this.#client, new Map(), true)
    this.#part = newest(this.#part, read)
    this.#doubted = new Map()
    return read
  }

  /** Reads what changed, and which of it may be gone by Nova's previous answer. */
  async changes(holders: Holders | null): Promise<Part<Trees>> {
    if (!this.#part.isRead) return this.whole()
    const { value: before } = this.#part
    const read = await readTrees(this.#client, before, false)
    this.#part = newest(this.#part, read)
    // What was suspect before a poll that could not check it, and is suspect after it, may be so for another reason.
    if (read.isRead && holders !== null) await this.#readDoubted(before, read, holders)
    else this.#doubted = new Map()
    return read
  }

  held(): ReadonlySet<string> {
    const held = new Set<string>()
    for (const { provider } of this.#part.isRead ? this.#part.value.values() : [])
      if (provider.allocations.isRead) for (const id of provider.allocations.value.keys()) held.add(id)
    return held
  }

  /** For each consumer the node that it holds something of, or SEVERAL; null: not read yet. Ignores shared storage. */
  async nodesHeld(nodes: Holders['nodes']): Promise<ReadonlyMap<string, string | typeof SEVERAL> | null> {
    if (!this.#part.isRead) return null
    const held = new Map<string, string | typeof SEVERAL>()
    let read = 0
    for (const { provider } of this.#part.value.values()) {
      const node = nodes.get(provider.root)
      if (node === undefined || !provider.allocations.isRead) continue
      for (const id of provider.allocations.value.keys()) held.set(id, (held.get(id) ?? node) === node ? node : SEVERAL)
      if (++read % PROVIDERS_A_TURN === 0) await nextTurn()
    }
    return held
  }

  /** Whether the lists have more for a consumer than its own answer; those are then read again. */
  async readReleased(answers: readonly (readonly [string, Part<CloudConsumer>])[]): Promise<boolean> {
    if (!this.#part.isRead) return false
    const stale = [...this.#part.value].filter(([id, { provider }]) => {
      const { allocations } = provider
      return (
        allocations.isRead &&
        answers.some(([who, part]) => part.isRead && allocations.value.has(who) && !part.value.allocations.has(id))
      )
    })
    await this.#readAllocations(stale.map(([id]) => id))
    return stale.length > 0
  }

  /**
   * Reads suspect allocations: at once when first suspected, then at intervals. Providers that differ from `before`
   * were just read, but an answer older than the list proves nothing.
   */
  async #readDoubted(
    before: Trees,
    { at: listedAt, value: trees }: AvailablePart<Trees>,
    holders: Holders,
  ): Promise<void> {
    const now = this.#client.monotonicMs()
    const wasReadSince = ({ provider }: MirroredProvider) => (provider.allocationsReadAt ?? 0) >= listedAt - SKEW_MS
    const doubted = new Map<string, number>()
    const due = new Map<string, string[]>()
    let read = 0
    for (const [id, tree] of trees) {
      const isFresh = before.get(id)?.readAt !== tree.readAt && wasReadSince(tree)
      for (const holder of maybeReleased(tree, holders)) {
        const key = `${id} ${holder}`
        const at = isFresh ? now : (this.#doubted.get(key) ?? Number.NEGATIVE_INFINITY)
        doubted.set(key, at)
        const isDue = due.has(id) || (now - at >= DOUBTED_MS && due.size < MAX_PROVIDERS_PER_POLL)
        if (isDue) due.set(id, [...(due.get(id) ?? []), key])
      }
      if (++read % PROVIDERS_A_TURN === 0) await nextTurn()
    }
    this.#doubted = doubted
    await this.#readAllocations([...new Set([...due.keys(), ...this.#inTurn([...trees.keys()], now)])])
    for (const [id, keys] of due) {
      const tree = this.#part.isRead ? this.#part.value.get(id) : undefined
      if (tree && wasReadSince(tree)) for (const key of keys) doubted.set(key, now)
    }
  }

  #inTurn(ids: readonly string[], now: number): readonly string[] {
    const share = (now - (this.#turnAt ?? now)) / ALL_ALLOCATIONS_MS
    const count = Math.min(ids.length, MAX_PROVIDERS_PER_POLL, Math.ceil(ids.length * share))
    this.#turnAt = now
    const turn = this.#turn
    this.#turn += count
    return Array.from({ length: count }, (_, at) => ids[(turn + at) % ids.length] ?? '')
  }

  async #readAllocations(providers: readonly string[]): Promise<void> {
    if (!this.#part.isRead) return
    const { value } = this.#part
    const read = await Promise.all(
      providers.flatMap((id) => {
        const known = value.get(id)
        return known ? [rereadAllocations(this.#client, known).then((now) => [id, now] as const)] : []
      }),
    )
    this.#part = { ...this.#part, value: new Map([...value, ...read]) }
  }
}
