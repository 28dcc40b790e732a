import { type Interruptible, runToCompletion } from '../interruptible'
import { byId, grouped } from '../ledger/grouped'
import type {
  Amounts,
  CloudConsumer,
  CloudHypervisor,
  CloudMigration,
  CloudProvider,
  CloudServer,
  CloudService,
  CloudSnapshot,
  Part,
} from './snapshot'

// A snapshot with the indexes that the checks share. Unread parts are null, and no check judges null.

/** Objects that other programs may keep in the same Placement. */
export interface CloudAuditSettings {
  /** How long a record must be unchanged before it is checked: Nova writes the last rows of a step one by one. */
  readonly settleMs: number
  /** Overrides of the limits in `history.ts`, by status or task. */
  readonly patienceMs: Readonly<Record<string, number>>
  /** Maximum age of a resize without confirm or revert; null: any age. */
  readonly confirmWindowMs: number | null
  /** Consumers, consumer types and root providers of other clients. */
  readonly otherClients: ReadonlySet<string>
}

export const DEFAULT_SETTINGS: CloudAuditSettings = {
  settleMs: 30_000,
  patienceMs: {},
  confirmWindowMs: 24 * 3_600_000,
  otherClients: new Set(),
}

/** Allocations of one consumer from one provider. */
export interface HeldPart {
  readonly provider: CloudProvider
  readonly resources: Amounts
}

interface Consumer {
  readonly parts: readonly HeldPart[]
  /** Undefined: several answers, or none, gave it. */
  readonly generation: number | null | undefined
  /** Everything claimed until then is included. */
  readonly at: number
  /** Time at which it held them; it may have released them since. */
  readonly heldAt: number
  /** Time at which it held nothing else, by its own answer or the lists of all providers; 0: unknown. */
  readonly onlyAt: number
}

export interface CloudFacts {
  readonly snapshot: CloudSnapshot
  readonly settings: CloudAuditSettings
  readonly servers: ReadonlyMap<string, CloudServer>
  readonly migrations: ReadonlyMap<string, CloudMigration>
  /** By Nova host name. */
  readonly serversOn: ReadonlyMap<string, readonly CloudServer[]>
  /** Newest first. */
  readonly migrationsOf: ReadonlyMap<string, readonly CloudMigration[]>
  readonly providers: ReadonlyMap<string, CloudProvider>
  readonly hypervisors: ReadonlyMap<string, CloudHypervisor>
  /** The same by Nova host name; Ironic has many for one. */
  readonly nodesOf: ReadonlyMap<string, readonly CloudHypervisor[]>
  /** `nova-compute` by host. */
  readonly services: ReadonlyMap<string, CloudService>
  /** Consumers with known allocations. */
  readonly consumers: ReadonlyMap<string, Consumer>
  /** Whether every allocation of every provider is known, and the oldest answer among them. */
  readonly allOf: { readonly complete: boolean; readonly at: number }
}

export const rowsOf = <T>(part: Part<readonly T[]>): readonly T[] => (part.isRead ? part.value : [])
export const isComplete = (part: Part<unknown>): boolean => part.isRead && part.complete
export const timeOf = (part: Part<unknown>): number | null => (part.isRead ? part.at : null)
export const timeOrZero = (part: Part<unknown> | undefined): number => (part?.isRead ? part.at : 0)

export const factsOf = (snapshot: CloudSnapshot, settings: CloudAuditSettings): CloudFacts =>
  runToCompletion(interruptibleFacts(snapshot, settings))

export function* interruptibleFacts(snapshot: CloudSnapshot, settings: CloudAuditSettings): Interruptible<CloudFacts> {
  const providers = byId(rowsOf(snapshot.providers))
  const lists = [...providers.values()].map(({ allocations }) => allocations)
  const allOf = {
    complete: isComplete(snapshot.providers) && lists.every(isComplete),
    at: Math.min(...[snapshot.providers, ...lists].map((part) => timeOf(part) ?? Number.NEGATIVE_INFINITY)),
  }
  const consumers = yield* consumersOf(snapshot, providers, allOf)
  const servers = byId(rowsOf(snapshot.servers))
  yield
  const serversOn = grouped(rowsOf(snapshot.servers), ({ host }) => host ?? '')
  yield
  const migrations = rowsOf(snapshot.migrations)
  const newestFirst = [...migrations].sort((one, other) => other.id - one.id)
  return {
    snapshot,
    settings,
    ...{ servers, serversOn, consumers },
    migrations: new Map(migrations.map((migration) => [migration.uuid, migration])),
    migrationsOf: grouped(newestFirst, ({ instance }) => instance),
    providers,
    hypervisors: byId(rowsOf(snapshot.hypervisors)),
    nodesOf: grouped(rowsOf(snapshot.hypervisors), ({ host }) => host),
    services: new Map(
      rowsOf(snapshot.services)
        .filter(({ binary }) => binary === 'nova-compute')
        .map((service) => [service.host, service]),
    ),
    allOf,
  }
}

/** Providers indexed before yielding to the event loop. */
const PROVIDERS_A_PART = 50

function* consumersOf(
  snapshot: CloudSnapshot,
  providers: ReadonlyMap<string, CloudProvider>,
  allOf: CloudFacts['allOf'],
): Interruptible<Map<string, Consumer>> {
  const consumers = new Map<string, Consumer>()
  const onlyAt = allOf.complete ? allOf.at : 0
  let read = 0
  for (const provider of providers.values()) {
    if (read++ % PROVIDERS_A_PART === 0) yield
    if (!provider.allocations.isRead) continue
    const { at, value } = provider.allocations
    const readAt = provider.allocationsReadAt ?? at
    for (const [id, { resources, consumerGeneration }] of value) {
      const known = consumers.get(id)
      const parts = [...(known?.parts ?? []), { provider, resources }]
      const generation = known === undefined || known.generation === consumerGeneration ? consumerGeneration : undefined
      const heldAt = Math.min(readAt, known?.heldAt ?? readAt)
      consumers.set(id, { parts, generation, at: Math.min(at, known?.at ?? at), heldAt, onlyAt })
    }
  }
  for (const [id, answer] of snapshot.consumers) {
    // The lists combine many answers, and what none of them has is no longer held. An answer about the consumer itself
    // is of one moment.
    const listed = consumers.get(id)
    const listedAt = listed?.at ?? (allOf.complete ? allOf.at : Number.NEGATIVE_INFINITY)
    if (!answer.isRead) continue
    if (answer.at < listedAt) {
      // It claimed more since, or held the same when it was queried.
      if (listed && sameParts(listed, answer.value))
        consumers.set(id, {
          ...listed,
          heldAt: Math.max(listed.heldAt, answer.at),
          onlyAt: Math.max(listed.onlyAt, answer.at),
        })
      continue
    }
    const parts = [...answer.value.allocations].map(([provider, resources]) => ({
      provider: providers.get(provider) ?? unlistedProvider(provider),
      resources,
    }))
    const { at } = answer
    consumers.set(id, { parts, generation: answer.value.generation, at, heldAt: at, onlyAt: at })
  }
  return consumers
}

const sameParts = ({ parts }: Consumer, { allocations }: CloudConsumer): boolean =>
  parts.length === allocations.size && parts.every(({ provider }) => allocations.has(provider.id))

/** A provider that was created after the list of providers was read. */
const unlistedProvider = (id: string): CloudProvider => {
  const unread = { isRead: false, why: 'not in the list of providers' } as const
  return {
    ...{ id, name: id, generation: 0, parent: null, root: id, inventories: unread, traits: unread },
    ...{ aggregates: unread, usages: unread, allocations: unread },
  }
}

/** Held amounts, by provider. */
export const byProvider = (parts: readonly HeldPart[]): Readonly<Record<string, Amounts>> =>
  Object.fromEntries(parts.map(({ provider, resources }) => [provider.id, resources]))

/** All that a consumer holds; null when a part of it may be unknown. */
export function heldBy(facts: CloudFacts, consumer: string): Consumer | null {
  const asked = facts.snapshot.consumers.get(consumer)?.isRead === true
  if (!asked && !facts.allOf.complete) return null
  const { at } = facts.allOf
  return facts.consumers.get(consumer) ?? { parts: [], generation: null, at, heldAt: at, onlyAt: at }
}

/** Nova host of a provider's tree; null when no hypervisor is known for it. */
export const hostOf = (facts: CloudFacts, { root }: CloudProvider): string | null =>
  facts.hypervisors.get(root)?.host ?? null

/** Nova hosts of the held allocations. */
export const hostsOf = (facts: CloudFacts, parts: readonly HeldPart[]): readonly string[] =>
  parts.map(({ provider }) => hostOf(facts, provider)).filter((host) => host !== null)

/** Provider of the node that an instance or migration names; null when unknown. */
export function rootOf(facts: CloudFacts, host: string | null, node: string | null): CloudProvider | null {
  if (host === null) return null
  const here = facts.nodesOf.get(host) ?? []
  const hypervisor = here.length === 1 ? here[0] : here.find((each) => each.node === node)
  return (hypervisor && facts.providers.get(hypervisor.id)) ?? null
}

export const SHARES = 'MISC_SHARES_VIA_AGGREGATE'

/** Null when its traits were not read. */
export const isSharing = ({ traits }: CloudProvider): boolean | null =>
  traits.isRead ? traits.value.includes(SHARES) : null
