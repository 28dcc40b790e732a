import { z } from 'zod'
import { INSTANCE_LIST } from '@/lists/instance'
import { type Instance, VM_STATES } from '../../engine/change'
import type { Flavor, GroupPolicy, Image } from '../../engine/demand'
import type { Host } from '../../engine/host'
import { BUILD_FAILED, startDelete } from '../../engine/lifecycle'
import type { GroupId } from '../../engine/words/ids'
import { listGroups } from '../../store/catalog/list'
import { readClaimTimes } from '../../store/claim/times'
import { readLastEvent } from '../../store/event/trail-read'
import { listInstances } from '../../store/instance/list'
import { readInstanceView } from '../../store/migration/view'
import { type ClaimView, claimView } from '../claim/view'
import { type FleetNow, fleetNow } from '../host/fleet-now'
import type { Names, Ref } from '../names/names'
import { namesOf } from '../names/read'
import type { Rights } from '../permit/rights'
import type { Ms, Page } from '../plain'
import { commitWithRetry } from '../procedure/commit'
import {
  groupId,
  hostId,
  instanceId,
  instanceName,
  line,
  listed,
  object,
  query,
  reason,
  someOf,
  zones,
} from '../procedure/inputs'
import { actorOf, operator, router, viewer } from '../procedure/procedure'
import { RefusalError, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { buildInstance } from './build'
import { type InstanceRow, instanceRow } from './view'

export interface InstanceDetail extends InstanceRow {
  readonly flavorFull: Flavor
  readonly imageFull: Image
  readonly groupPolicy: GroupPolicy | null
  readonly generation: number
  /** Since when Berth records it: later than its creation if it was imported. */
  readonly recordedAt: Ms
  /** Its claims on every host: one, or two while it migrates. */
  readonly claims: readonly ClaimView[]
  /** For an instance in error because its build failed. */
  readonly buildFailure: { readonly at: Ms; readonly why: string } | null
  /** Simulated instances only. */
  readonly dirtyBytesPerS: number | null
}

const listInput = object({
  q: query.optional(),
  vmState: someOf(VM_STATES),
  host: hostId.optional(),
  zone: zones,
  moving: z.boolean({ error: 'expected true or false' }).optional(),
  ...listed(INSTANCE_LIST),
})
const buildInput = object({
  name: instanceName,
  project: line('a project', 64),
  flavor: line('the name of a flavor'),
  image: line('the name of an image'),
  host: hostId.optional(),
  zone: line('a zone').optional(),
  group: groupId.optional(),
})

export const instanceRouter = router({
  list: viewer.input(listInput.prefault({})).query(async ({ ctx, input }): Promise<Page<InstanceRow>> => {
    const { services, caller } = ctx
    const now = await fleetNow(services)
    const [{ rows, total }, groups, names] = await Promise.all([
      listInstances(services.database, input),
      groupRefs(services),
      namesOf(services, []),
    ])
    const row = rowMaker(services, { rights: caller, now, names, groups })
    return { rows: rows.map(row), total, seq: now.seq }
  }),

  byId: viewer.input(object({ id: instanceId })).query(async ({ ctx, input }): Promise<InstanceDetail> => {
    const { services, caller } = ctx
    const [view, now] = await Promise.all([readInstanceView(services.database, input.id), fleetNow(services)])
    if (!view) return refuseUnknown('instance', input.id)
    const { instance } = view
    const migration = now.active.get(instance.id)
    const [groups, names, since, buildFailure, dirtyBytesPerS] = await Promise.all([
      listGroups(services.database),
      namesOf(services, [instance.id]),
      readClaimTimes(services.database, { instance: instance.id }),
      buildFailureOf(services, instance),
      services.simulator?.dirtyBytesPerS(instance.id) ?? null,
    ])
    const refs = new Map(groups.map(({ id, name }) => [id, { id, name }]))
    const hosts = [instance.host, migration?.source, migration?.target].flatMap((id) =>
      id ? [services.fleet.host(id)] : [],
    )
    return {
      ...rowMaker(services, { rights: caller, now, names, groups: refs })(instance),
      flavorFull: instance.flavor,
      imageFull: instance.image,
      groupPolicy: groups.find(({ id }) => id === instance.group)?.policy ?? null,
      generation: instance.generation,
      recordedAt: view.recordedAt,
      claims: claimsOf(instance, hosts, { names, active: now.active, since }),
      buildFailure,
      dirtyBytesPerS,
    }
  }),

  build: operator
    .on(buildInput, ({ host }) => [host === undefined ? { of: 'chosen' } : { of: 'host', id: host }])
    .mutation(({ ctx, input }): Promise<{ instance: string }> => buildInstance(ctx, input)),

  delete: operator
    .on(object({ id: instanceId, reason: reason.optional() }), ({ id }) => [{ of: 'instance', id }])
    .mutation(({ ctx, input }): Promise<{ acceptedAt: number }> => {
      const { services } = ctx
      return commitWithRetry(services, async () => {
        const view = (await readInstanceView(services.database, input.id)) ?? refuseUnknown('instance', input.id)
        const about = { what: `Delete ${view.instance.name}`, where: view.instance.name }
        const at = services.now()
        const deletion = startDelete(view, { actor: actorOf(ctx, input.reason), at })
        if (!deletion.ok) throw new RefusalError(deletion.refusals, about)
        return { change: deletion.change, about, answer: { acceptedAt: at } }
      })
    }),
})

async function buildFailureOf({ database }: ApiServices, { id, vmState }: Instance) {
  if (vmState !== 'error') return null
  const failed = await readLastEvent(database, { instance: id, kind: BUILD_FAILED })
  return typeof failed?.data.why === 'string' ? { at: failed.at, why: failed.data.why } : null
}

async function groupRefs({ database }: ApiServices): Promise<ReadonlyMap<string, Ref>> {
  return new Map((await listGroups(database)).map(({ id, name }) => [id, { id, name }]))
}

interface RowMaker {
  readonly rights: Rights
  readonly now: FleetNow
  readonly names: Names
  readonly groups: ReadonlyMap<string, Ref>
}

function rowMaker(
  { fleet }: ApiServices,
  { rights, now, names, groups }: RowMaker,
): (instance: Instance) => InstanceRow {
  return (instance) => {
    const migration = now.active.get(instance.id) ?? null
    const host = instance.host === null ? null : fleet.host(instance.host)
    // During a migration the instance holds the side in the migration's direction, maybe not its current host.
    const places = [host, migration?.target ? fleet.host(migration.target) : null]
    const holdings = places.flatMap((place) => place?.holdings ?? [])
    const holding = holdings.find((each) => each.consumer === instance.id) ?? null
    return instanceRow(instance, {
      rights,
      names,
      migration,
      host,
      holding,
      group: groupOf(instance.group, groups),
    })
  }
}

const groupOf = (id: GroupId | null, groups: ReadonlyMap<string, Ref>): Ref | null => (id && groups.get(id)) || null

type ClaimParts = Omit<Parameters<typeof claimView>[1], 'host'>

function claimsOf(instance: Instance, hosts: readonly (Host | null)[], parts: ClaimParts): readonly ClaimView[] {
  const known = [...new Set(hosts.filter((host) => host !== null))]
  return known.flatMap((host) =>
    host.holdings
      .filter((holding) => holding.instance === instance.id)
      .map((holding) => claimView(holding, { ...parts, host })),
  )
}
