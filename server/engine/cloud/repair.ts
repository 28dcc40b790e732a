import { heldText } from './evidence'
import { byProvider, type CloudFacts } from './facts'
import type { CloudGuard } from './guard'
import { lastWriteOf } from './history'
import type { Amounts, CloudMigration, CloudServer } from './snapshot'

// The parts of a repair: calls of Nova's and Placement's own APIs, each with its guards, and with the call that undoes
// it if there is one.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export interface CloudCall {
  readonly service: 'nova' | 'placement'
  readonly method: 'PUT' | 'POST' | 'DELETE'
  /** Below the endpoint of the service. */
  readonly path: string
  /** The lowest that has it; a higher one may mean something else, so request exactly this one. */
  readonly microversion: string
  readonly body: Json
  /** What it does, in one sentence. */
  readonly does: string
  /** Instance that it is about; null if none. */
  readonly instance: string | null
  readonly guards: readonly CloudGuard[]
  /** Null: it cannot be undone, and `does` says what that means. */
  readonly undo: Omit<CloudCall, 'undo'> | null
  /** The same as arguments of the `openstack` command, for applying a plan manually. */
  readonly commands: readonly (readonly string[])[]
}

export type CloudRepair =
  | {
      readonly kind: 'calls'
      readonly calls: readonly CloudCall[]
      readonly before: readonly string[]
      readonly after: readonly string[]
    }
  | { readonly kind: 'none'; readonly reason: string }

export const none = (reason: string): CloudRepair => ({ kind: 'none', reason })

export function serverGuard(server: CloudServer, written: 'written' | 'as read' = 'as read'): CloudGuard {
  const { id, host, vmState, taskState } = server
  return { kind: 'server', id, host, vmState, taskState, updatedAt: written === 'written' ? null : lastWriteOf(server) }
}

export const migrationGuard = (migration: CloudMigration): CloudGuard & { kind: 'migration' } => {
  const { uuid, status } = migration
  return { kind: 'migration', uuid, status, updatedAt: lastWriteOf(migration) }
}

/** The consumer's new allocations, by provider; empty: its allocations are deleted. */
export interface AllocationChange {
  readonly consumer: string
  readonly who: string
  readonly after: Readonly<Record<string, Amounts>>
  readonly project: string | null
  readonly user: string | null
}

interface AllocationWrite {
  readonly instance: string | null
  readonly guards: readonly CloudGuard[]
  readonly changes: readonly AllocationChange[]
}

/**
 * One atomic POST, which Placement refuses as a whole when one generation has changed. 1.28 leaves the type of a
 * consumer unchanged. Each write raises a generation by one; a consumer without allocations has none.
 */
export function allocationRepair(facts: CloudFacts, { instance, guards, changes }: AllocationWrite): CloudRepair {
  const known = changes.map((change) => {
    const now = facts.consumers.get(change.consumer)
    const parts = now?.parts ?? []
    return { ...change, before: byProvider(parts), generation: parts.length === 0 ? null : now?.generation }
  })
  const unread = known.find(
    ({ generation, project, user }) => generation === undefined || project === null || user === null,
  )
  if (unread !== undefined)
    return none(`The allocations of ${unread.who} have to be read once more, with project, user and generation.`)
  const nameOf = (id: string) => facts.providers.get(id)?.name ?? id
  const textOf = (rows: Readonly<Record<string, Amounts>>) =>
    heldText(Object.entries(rows).map(([id, resources]) => ({ provider: { name: nameOf(id) }, resources })))
  const consumerGuards = known.map(({ consumer, generation, before }): CloudGuard => {
    return { kind: 'consumer', id: consumer, generation: generation ?? null, allocations: before }
  })
  const writeOf = (side: 'before' | 'after', generationOf: (each: (typeof known)[number]) => number | null) => ({
    service: 'placement' as const,
    method: 'POST' as const,
    path: '/allocations',
    microversion: '1.28',
    body: Object.fromEntries(
      known.map((each) => [
        each.consumer,
        {
          allocations: Object.fromEntries(Object.entries(each[side]).map(([id, resources]) => [id, { resources }])),
          project_id: each.project ?? '',
          user_id: each.user ?? '',
          consumer_generation: generationOf(each),
        },
      ]),
    ),
    instance,
    commands: [...known]
      .sort((one, other) => sizeOf(one[side]) - sizeOf(other[side]))
      .map((each) => commandOf(each, each[side])),
  })
  const does = `${known.map(({ who, after }) => `Sets the allocations of ${who} to ${textOf(after)}`).join('; ')}.`
  const call: CloudCall = {
    ...writeOf('after', ({ generation }) => generation ?? null),
    does,
    guards: [...guards, ...consumerGuards],
    undo: {
      ...writeOf('before', ({ generation, after }) =>
        sizeOf(after) === 0 ? null : generation == null ? 1 : generation + 1,
      ),
      does: 'Restores the allocations as they were.',
      guards: [],
    },
  }
  return {
    kind: 'calls',
    calls: [call],
    before: known.map(({ who, before }) => `${who} holds ${textOf(before)}`),
    after: known.map(({ who, after }) => `${who} holds ${textOf(after)}`),
  }
}

const sizeOf = (rows: object): number => Object.keys(rows).length

function commandOf(
  { consumer, project, user }: AllocationChange,
  rows: Readonly<Record<string, Amounts>>,
): readonly string[] {
  const command = ['--os-placement-api-version', '1.28', 'resource', 'provider', 'allocation']
  if (sizeOf(rows) === 0) return [...command, 'delete', consumer]
  const parts = Object.entries(rows).flatMap(([provider, resources]) => [
    '--allocation',
    [`rp=${provider}`, ...Object.entries(resources).map(([name, amount]) => `${name}=${amount}`)].join(','),
  ])
  return [...command, 'set', ...parts, '--project-id', project ?? '', '--user-id', user ?? '', consumer]
}

export interface ServerAction {
  readonly server: CloudServer
  readonly microversion: string
  readonly body: Json
  readonly does: string
  readonly guards: readonly CloudGuard[]
  readonly command: readonly string[]
}

/** `POST /servers/{id}/action`, answered 202: later reads say whether it was done. */
export const actionCall = ({ server, microversion, body, does, guards, command }: ServerAction): CloudCall => ({
  service: 'nova',
  method: 'POST',
  path: `/servers/${server.id}/action`,
  microversion,
  body,
  does,
  instance: server.id,
  guards: [serverGuard(server), ...guards],
  undo: null,
  commands: [['--os-compute-api-version', microversion, 'server', ...command]],
})
