import {
  type Attribution,
  type Change,
  type EventBody,
  type Guards,
  type Instance,
  NO_GUARDS,
  rootGuard,
  type VmState,
  type Write,
} from './change'
import type { ClaimPlan } from './claim'
import { type Host, isDead } from './host'
import { ALREADY_MOVING, wrongState } from './power/request'
import type { ClaimId, MigrationId } from './words/ids'
import type { Refusal } from './words/refusal'
import { isReadable, unreadableRefusals } from './words/unreadable'

// A build is a claim without a source, a deletion a release without a target. As in a migration, the claim lasts until
// the domain is removed, and is released in the transaction that deletes the row.

export interface InstanceRecords {
  readonly instance: Instance
  readonly host: Host | null
  readonly activeMigration: MigrationId | null
}

type NewInstance = Omit<Instance, 'host' | 'vmState' | 'generation'>
interface NewClaim {
  readonly id: ClaimId
  readonly plan: ClaimPlan
}

/** Writes the instance and its claim together. Sets `instance.host` and `vmState`. */
export const startBuild = (instance: NewInstance, claim: NewClaim, attribution: Attribution): Change =>
  placed({ ...instance, host: claim.plan.host, vmState: 'building', generation: 0 }, claim, attribution)

/** Adopts a domain that ran before Berth saw it: it is claimed like a new one but not built. */
export const adopt = (instance: NewInstance, claim: NewClaim, attribution: Attribution): Change =>
  placed({ ...instance, host: claim.plan.host, vmState: 'active', generation: 0 }, claim, attribution)

function placed(row: Instance, { id, plan }: NewClaim, attribution: Attribution): Change {
  return {
    guards: { ...NO_GUARDS, providers: plan.guards, group: plan.group },
    writes: [
      { do: 'insert-instance', instance: row },
      { do: 'take', claim: id, consumer: row.id, consumerKind: 'instance', instance: row.id, plan },
    ],
    event: event(row, row.vmState === 'active' ? 'instance.adopted' : 'instance.claimed'),
    ...attribution,
  }
}

/** The domain runs. */
export const built = (records: InstanceRecords, attribution: Attribution): Change =>
  becomes('active', records, { kind: 'instance.built', ...attribution })

export const BUILD_FAILED = 'instance.build-failed'

/** The claim is kept: leftovers may be on the host, and only a delete, which cleans them up, may release it. */
export function buildFailed(records: InstanceRecords, attribution: Attribution, why: string): Change {
  const failed = becomes('error', records, { kind: BUILD_FAILED, ...attribution })
  return { ...failed, event: { ...failed.event, data: { ...failed.event.data, why } } }
}

export type Deletion =
  | { readonly ok: true; readonly change: Change }
  | { readonly ok: false; readonly refusals: readonly Refusal[] }

/** Accepts a deletion. Refused during a migration: abort or end it first. */
export function startDelete(records: InstanceRecords, attribution: Attribution): Deletion {
  const { instance, activeMigration } = records
  if (!isReadable(instance)) return { ok: false, refusals: unreadableRefusals(instance) }
  if (activeMigration !== null) return { ok: false, refusals: [ALREADY_MOVING] }
  if (instance.vmState === 'deleting') return { ok: false, refusals: [wrongState('not yet deleted', 'deleting')] }
  return { ok: true, change: becomes('deleting', records, { kind: 'instance.deleting', ...attribution }) }
}

/** The domain is gone, or its host is dead: row and claim go together. */
export function deleted(records: InstanceRecords, attribution: Attribution): Change {
  const { instance, host } = records
  const writes: Write[] = [
    { do: 'release', consumer: instance.id },
    { do: 'delete-instance', id: instance.id },
  ]
  if (host?.status === 'fenced') {
    writes.push({ do: 'note-remains', host: host.id, instance: instance.id, migration: null, side: 'source' })
  }
  return change(records, writes, { kind: 'instance.deleted', ...attribution })
}

/** The domain was shut off and stays on its host: its claim is kept. */
export const stopped = (records: InstanceRecords, attribution: Attribution): Change =>
  becomes('stopped', records, { kind: 'instance.stopped', ...attribution })

/** The image is stored and the files are gone: nothing stays on the host. */
export function shelved(records: InstanceRecords, attribution: Attribution): Change {
  const { id } = records.instance
  const writes: Write[] = [
    { do: 'release', consumer: id },
    { do: 'update-instance', id, set: { vmState: 'shelved', host: null } },
  ]
  return change(records, writes, { kind: 'instance.shelved', ...attribution })
}

type NamedAttribution = Attribution & { readonly kind: string }

const becomes = (vmState: VmState, records: InstanceRecords, how: NamedAttribution): Change =>
  change(records, [{ do: 'update-instance', id: records.instance.id, set: { vmState } }], how)

function change(records: InstanceRecords, writes: readonly Write[], how: NamedAttribution): Change {
  const { instance, host } = records
  return {
    guards: {
      ...NO_GUARDS,
      providers: releases(writes) ? releaseGuard(host) : [],
      instance: { id: instance.id, generation: instance.generation },
    },
    writes,
    event: event(instance, how.kind),
    actor: how.actor,
    at: how.at,
  }
}

const releases = (writes: readonly Write[]) => writes.some((write) => write.do === 'release')

// Leftovers are recorded only if the host is dead, so a host that returned meanwhile must be a conflict.
function releaseGuard(host: Host | null): Guards['providers'] {
  const root = rootGuard(host)
  return host !== null && isDead(host.status) ? root : root.map(({ provider }) => ({ provider, generation: null }))
}

const event = (instance: Instance, kind: string): EventBody => ({
  kind,
  hosts: instance.host === null ? [] : [instance.host],
  instance: instance.id,
  migration: null,
  data: { vmState: instance.vmState },
})
