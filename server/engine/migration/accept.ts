import { type Attribution, type Change, type Instance, NO_GUARDS, rootGuard } from '../change'
import type { Flavor, Image } from '../demand'
import { type Host, isDead } from '../host'
import { notRunning, pendingRefusal, wrongState } from '../power/request'
import type { StorageMode } from '../storage/storage'
import type { HostId, MigrationId } from '../words/ids'
import type { Refusal } from '../words/refusal'
import { unreadableRefusals } from '../words/unreadable'
import { openStep } from './changes'
import { operationRow } from './operations'
import type { Migration, Operation } from './state'

// Accepts a migration: the checks that need no target, and the change that records it. The conductor makes the claim
// later, so that accepting never waits.

export interface MigrationRequest {
  readonly operation: Operation
  /** Null lets the scheduler choose. */
  readonly target: HostId | null
  /** A resize names the new flavor, a rebuild the new image; other operations keep both. */
  readonly newFlavor: Flavor | null
  readonly newImage: Image | null
  /** How a live migration treats the disk; null is auto, and the only value for every other operation. */
  readonly storage?: StorageMode | null
}

/** The instance as read for the decision. */
export interface AcceptContext {
  readonly instance: Instance
  readonly host: Host | null
  readonly activeMigration: MigrationId | null
}

export interface NewMigrationParts extends Attribution {
  readonly id: MigrationId
  /** Whether two pairs of flavor and image make the same demand: then a rebuild keeps its one claim. */
  readonly sameDemand: (old: InstanceSpec, now: InstanceSpec) => boolean
  readonly confirmWindowMs: number | null
}

export interface InstanceSpec {
  readonly flavor: Flavor
  readonly image: Image
}

export type AcceptResult =
  | { readonly ok: true; readonly migration: Migration; readonly change: Change }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }

export function accept(context: AcceptContext, request: MigrationRequest, terms: NewMigrationParts): AcceptResult {
  const refusals = [...operationRefusals(request.operation, context), ...requestRefusals(context, request)]
  if (refusals.length > 0) return { ok: false, refusals }
  const migration = newMigration(context, request, terms)
  const { host } = context
  const change: Change = {
    guards: {
      ...NO_GUARDS,
      // An evacuation relies on its source being dead; the change must not commit if the host has returned since.
      providers: host !== null && isDead(host.status) ? rootGuard(host) : [],
      instance: { id: context.instance.id, generation: context.instance.generation },
    },
    writes: [
      { do: 'insert-migration', migration },
      { do: 'put-step', step: openStep(migration) },
    ],
    event: {
      kind: 'migration.accepted',
      hosts: [migration.source, request.target].filter((host) => host !== null),
      instance: migration.instance,
      migration: migration.id,
      data: { operation: migration.operation, requestedTarget: request.target, storage: migration.storage },
    },
    actor: terms.actor,
    at: terms.at,
  }
  return { ok: true, migration, change }
}

/** Why this operation cannot start on this instance now, whatever the target; empty when it can. */
export function operationRefusals(operation: Operation, context: AcceptContext): readonly Refusal[] {
  const row = operationRow(operation)
  const { instance, host, activeMigration } = context
  const refusals: Refusal[] = [...unreadableRefusals(instance), ...unreadableRefusals(host)]
  if (activeMigration !== null) {
    refusals.push({ kind: 'already-moving', where: {}, need: 'no other migration', have: 'one that is active' })
  }
  refusals.push(...pendingRefusal(instance))
  if (!row.startFrom.includes(instance.vmState)) {
    refusals.push(wrongState(row.startFrom.join(' or '), instance.vmState))
  } else if (row.source === 'running') refusals.push(...notRunning(instance))
  if (row.source === 'none') return refusals
  if (host === null) return [...refusals, wrongState('on a host', 'on no host')]
  if (!row.sourceStatuses.includes(host.status)) {
    const kind = row.source === 'fenced' ? 'host-not-fenced' : 'host-not-up'
    const need = row.sourceStatuses.join(' or ')
    refusals.push({ kind, where: { provider: host.name }, need, have: host.status })
  } else if (host.scheduling === 'quarantined' && !isDead(host.status)) {
    refusals.push({ kind: 'host-quarantined', where: { provider: host.name }, need: 'cleaned', have: 'quarantined' })
  }
  return refusals
}

function requestRefusals(context: AcceptContext, request: MigrationRequest): readonly Refusal[] {
  const row = operationRow(request.operation)
  const { instance } = context
  const refusals: Refusal[] = []
  const wrong = (field: 'flavor' | 'image' | 'storage' | 'host', need: string) =>
    refusals.push({ kind: 'bad-input', where: {}, need, have: field })
  if (row.changes === 'flavor') {
    if (request.newFlavor === null) wrong('flavor', 'expected the new flavor')
    else if (same(request.newFlavor, instance.flavor))
      wrong('flavor', `expected another flavor; the instance has ${request.newFlavor.name}`)
  } else if (request.newFlavor !== null) wrong('flavor', 'expected no flavor; only a resize changes it')
  if (row.changes === 'image') {
    if (request.newImage === null) wrong('image', 'expected the image')
  } else if (request.newImage !== null) wrong('image', 'expected no image; only a rebuild changes it')
  if (request.storage && row.source !== 'running')
    wrong('storage', 'expected no storage mode; only a live migration has one')
  if (request.target !== null) {
    const { host } = instance
    if (row.target === 'same-place' && request.target !== host)
      wrong('host', 'expected the present host; this operation stays on it')
    if (row.target === 'other-host' && request.target === host) {
      refusals.push({ kind: 'host-is-source', where: {}, need: 'another host', have: 'the host it is on' })
    }
  }
  return refusals
}

// Values of one shape from one parser: their text is equal exactly when they are.
const same = (a: Flavor, b: Flavor) => JSON.stringify(a) === JSON.stringify(b)

/** Initial state of every migration, whatever its operation. */
const AT_FIRST = {
  target: null,
  step: 'claim',
  direction: 'target',
  home: 'source',
  handedOver: false,
  forced: false,
  requestedAction: null,
  cause: null,
  outcome: null,
  waiting: null,
  progress: null,
  tried: [],
  storageUsed: null,
  kept: [],
  attempt: 0,
  seq: 1,
  generation: 0,
  fence: 0,
  dueAt: null,
} as const satisfies Partial<Migration>

function newMigration(context: AcceptContext, request: MigrationRequest, terms: NewMigrationParts): Migration {
  const { instance } = context
  const row = operationRow(request.operation)
  const old: InstanceSpec = { flavor: instance.flavor, image: instance.image }
  const requested: InstanceSpec = {
    flavor: request.newFlavor ?? instance.flavor,
    image: request.newImage ?? instance.image,
  }
  const source = row.source === 'none' ? null : instance.host
  const samePlace = row.target === 'same-place'
  return {
    ...AT_FIRST,
    id: terms.id,
    instance: instance.id,
    operation: request.operation,
    source,
    requestedTarget: samePlace ? source : request.target,
    newFlavor: requested.flavor,
    newImage: requested.image,
    oldFlavor: old.flavor,
    oldImage: old.image,
    wasRunning: instance.vmState !== 'stopped',
    storage: row.source === 'running' ? (request.storage ?? 'auto') : null,
    keepsClaim: samePlace && terms.sameDemand(old, requested),
    stepSince: terms.at,
    createdAt: terms.at,
    confirmWindowMs: row.verify ? terms.confirmWindowMs : null,
    nextAt: terms.at,
  }
}
