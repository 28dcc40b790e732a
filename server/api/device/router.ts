import { DEVICE_LIST, DEVICE_STATES } from '@/lists/device'
import { fieldsOf, sortsOf } from '@/lists/list'
import type { UnitUse } from '../../engine/host'
import type { Operation } from '../../engine/migration/state'
import { DEVICE_UNITS } from '../../engine/words/units'
import { readUnitTimes } from '../../store/claim/unit-history'
import { readPastSince } from '../../store/past/past'
import { type DeviceDriftRow, deviceDrift } from '../drift/devices'
import { instancesIn } from '../host/fleet-now'
import { coresOf } from '../host/map'
import type { HolderRef, Names, Ref } from '../names/names'
import { namesOf } from '../names/read'
import type { Ms, Page } from '../plain'
import { conditions, hostId, line, object, paged, query, someOf, unitName } from '../procedure/inputs'
import { router, viewer } from '../procedure/procedure'
import { refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import {
  type DeviceKindRow,
  type DeviceRow,
  deviceKinds,
  devicesInOrder,
  devicesOf,
  familyOf,
  filterDevices,
  holdersOfDevices,
  needsHolders,
  sortDevices,
  withHolders,
} from './list'

/** One period in which it was held. */
export interface UnitSpan {
  readonly holder: HolderRef
  readonly use: UnitUse
  readonly from: Ms
  readonly to: Ms | null
  /** The migration that claimed it; null: its instance was built with it, or it is unknown. */
  readonly cameBy: { readonly id: string; readonly operation: Operation } | null
  /** The migration that released it. */
  readonly wentBy: { readonly id: string; readonly operation: Operation } | null
}

export interface DeviceDetail {
  /** Null for a CPU. */
  readonly device: DeviceRow | null
  readonly host: Ref
  readonly unit: string
  /** Its card and all units of that card, itself included; empty for a CPU. */
  readonly family: readonly DeviceRow[]
  /** The newest first. */
  readonly history: readonly UnitSpan[]
  /** Recorded and observed state; null for a CPU. */
  readonly drift: DeviceDriftRow | null
  /** Since when the history is known. */
  readonly knownSince: Ms
}

const listInput = object({
  q: query.optional(),
  kind: someOf(DEVICE_UNITS),
  state: someOf(DEVICE_STATES),
  label: line('a label').optional(),
  where: conditions(fieldsOf(DEVICE_LIST)),
  host: hostId.optional(),
  ...paged(sortsOf(DEVICE_LIST)),
})

export const deviceRouter = router({
  /** Totals of each kind over the fleet. */
  kinds: viewer.query(({ ctx }): readonly DeviceKindRow[] => deviceKinds(ctx.services.fleet.hosts())),

  list: viewer.input(listInput.prefault({})).query(async ({ ctx, input }): Promise<Page<DeviceRow>> => {
    const { services } = ctx
    const seq = String(services.feed.head)
    const all = services.fleet.hosts()
    const hosts = input.host === undefined ? all : all.filter((host) => host.id === input.host)
    // A full fleet has thousands of holders: unless rows are searched by holder, only visible ones are looked up.
    const isFoundByHolder = needsHolders(input)
    const devices = devicesInOrder(hosts)
    const found = filterDevices(
      isFoundByHolder ? withHolders(devices, await namesOf(services, holdersOfDevices(hosts))) : devices,
      input,
    )
    const rows = sortDevices(found, input).slice(input.offset, input.offset + input.limit)
    return { rows: isFoundByHolder ? rows : await nameHolders(services, rows), total: found.length, seq }
  }),

  /** A core or device with its holders, now and before. */
  byUnit: viewer
    .input(object({ host: hostId, unit: unitName }))
    .query(async ({ ctx, input }): Promise<DeviceDetail> => {
      const { services } = ctx
      const host = services.fleet.host(input.host) ?? refuseUnknown('host', input.host)
      // Shared and reserved CPUs have no holder, but are on the map like all others.
      const isCpu = host.numaNodes.flatMap(coresOf).some((core) => core.some((cpu) => input.unit === `cpu:${cpu}`))
      const [times, knownSince] = await Promise.all([
        readUnitTimes(services.database, input),
        readPastSince(services.database),
      ])
      const names = await namesOf(services, [...instancesIn([host]), ...times.map((time) => time.instance)])
      const devices = devicesOf(host, names)
      const device = devices.find((each) => each.unit === input.unit) ?? null
      if (!device && !isCpu && times.length === 0) refuseUnknown('CPU or device', input.unit)
      return {
        ...{ device, unit: input.unit, knownSince },
        drift: device ? ((await deviceDrift(services, input))[0] ?? null) : null,
        host: { id: host.id, name: host.name },
        family: device ? familyOf(devices, device) : [],
        history: times.map((time) => spanOf(time, names)),
      }
    }),
})

type UnitTime = Awaited<ReturnType<typeof readUnitTimes>>[number]

function spanOf(time: UnitTime, names: Names): UnitSpan {
  const { consumer, consumerKind, instance, instanceName, use, from, to, cameBy, wentBy } = time
  const name = instanceName || names.instance(instance).name
  return { holder: { kind: consumerKind, id: consumer, name }, use, from, to, cameBy, wentBy }
}

async function nameHolders(services: ApiServices, rows: readonly DeviceRow[]): Promise<readonly DeviceRow[]> {
  const instances = rows.flatMap(({ holder }) => holder?.name ?? [])
  return withHolders(rows, await namesOf(services, instances))
}
