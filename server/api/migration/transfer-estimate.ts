import { z } from 'zod'
import type { TransferLimits } from '@/forms/transfer-limits'
import { NO_GUARDS } from '../../engine/change'
import type { Host } from '../../engine/host'
import {
  DEFAULT_MAX_DOWNTIME_MS,
  estimateTransfer,
  type TransferAssumptions,
  type TransferEstimate,
} from '../../engine/migration/transfer-estimate'
import { sharedAmountsOf } from '../../engine/storage/storage'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { DISK_GB } from '../../engine/words/units'
import { readLastEvent } from '../../store/event/trail-read'
import { readCarriedBandwidth } from '../../store/migration/pace'
import { type InstanceWithHost, readInstanceView } from '../../store/migration/view'
import { commitWithRetry } from '../procedure/commit'
import { instanceId, object, reason } from '../procedure/inputs'
import { actorOf, operator } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import type { MemoryMeasurement } from './transfer-limits'

// Estimates how long a live migration to a real host will copy, and how long it pauses the instance. Each premise names
// its source; unmeasured values stay unknown.

const figure = z.number().nonnegative()
const transferEstimateView = z.object({
  target: z.string(),
  diskBytes: figure.default(0), // estimates that were kept before disks were copied
  ...{ memoryBytes: figure, dirtyBytesPerS: figure.nullable(), bandwidthBytesPerS: figure.nullable() },
  ...{ maxDowntimeMs: figure, durationMs: figure.nullable(), downtimeMs: figure.nullable() },
  converges: z.boolean().nullable(),
  /** Touched memory by the last measurement; otherwise the flavor's memory, whose untouched part is not copied. */
  memoryFrom: z.enum(['measured', 'flavor']),
  measuredAt: figure.nullable(),
  bandwidthFrom: z.union([z.literal('limit'), z.object({ migrations: figure })]).nullable(),
  /** The host's limit, otherwise the hypervisor's default. */
  downtimeFrom: z.enum(['limit', 'hypervisor']),
}) satisfies z.ZodType<TransferAssumptions & TransferEstimate>
export type TransferEstimateView = Readonly<z.infer<typeof transferEstimateView>>

/** As stored at the start of a migration; null when there was none, the row was edited, or another host was claimed. */
export function readTransferEstimate(kept: unknown, claimed: HostId | null): TransferEstimateView | null {
  const estimate = transferEstimateView.safeParse(kept).data
  return estimate && (claimed === null || claimed === estimate.target) ? estimate : null
}

const MIB = 1024 ** 2
const GIB = 1024 ** 3
const MEASURED = 'instance.memory-measured'
/** QEMU samples no smaller block of memory, and a NUMA node of a guest is one. Source: migration/dirtyrate.h, MIN_RAMBLOCK_SIZE. */
const SAMPLED_FROM_MIB = 128
const HUGE_FROM_KIB = 1_024 // ordinary pages have 4 to 64 KiB

/** Null where the memory is not copied by a real hypervisor. */
export async function transferEstimateOf(
  services: Pick<ApiServices, 'database' | 'transfers'>,
  { instance: id, target }: { readonly instance: InstanceId; readonly target: HostId },
): Promise<TransferEstimateView | null> {
  const [policy, view] = await Promise.all([
    services.transfers.policyTo(target),
    readInstanceView(services.database, id),
  ])
  if (policy === null || !view?.host) return null
  const { instance, host } = view
  const [measured, carried] = await Promise.all([
    readLastEvent(services.database, { instance: id, kind: MEASURED }),
    readCarriedBandwidth(services.database, { source: host.id, target }),
  ])
  const measuredFigure = (name: string) => figure.safeParse(measured?.data[name]).data ?? null
  const whole = instance.flavor.memoryMib * MIB
  const touched = measuredFigure('residentBytes')
  const assumptions = {
    memoryBytes: touched === null ? whole : Math.min(whole, touched),
    diskBytes: copiedDiskBytes(view.instance, host),
    dirtyBytesPerS: measuredFigure('dirtyBytesPerS'),
    ...bandwidthOf(policy, carried),
    maxDowntimeMs: policy.maxDowntimeMs ?? DEFAULT_MAX_DOWNTIME_MS,
  }
  return {
    target,
    ...assumptions,
    ...estimateTransfer(assumptions),
    memoryFrom: touched === null ? 'flavor' : 'measured',
    measuredAt: measured?.at ?? null,
    downtimeFrom: policy.maxDowntimeMs === null ? 'hypervisor' : 'limit',
  }
}

/** A local disk is copied along; one on shared storage is not. */
function copiedDiskBytes({ id, flavor }: InstanceWithHost['instance'], host: Host): number {
  const isShared = sharedAmountsOf(host, id).some(({ resourceClass }) => resourceClass === DISK_GB)
  return isShared ? 0 : flavor.diskGib * GIB
}

/** A past rate below the limit is the better estimate. */
function bandwidthOf({ bandwidthMibPerS }: TransferLimits, carried: Awaited<ReturnType<typeof readCarriedBandwidth>>) {
  const limit = bandwidthMibPerS === null ? Number.POSITIVE_INFINITY : bandwidthMibPerS * MIB
  if (carried !== null && carried.bytesPerS < limit)
    return { bandwidthBytesPerS: carried.bytesPerS, bandwidthFrom: { migrations: carried.migrations } }
  if (bandwidthMibPerS === null) return { bandwidthBytesPerS: null, bandwidthFrom: null }
  return { bandwidthBytesPerS: limit, bandwidthFrom: 'limit' as const }
}

export const measureMemory = operator
  .on(object({ instance: instanceId, reason: reason.optional() }), ({ instance }) => [{ of: 'instance', id: instance }])
  .mutation(async ({ ctx, input }): Promise<{ acceptedAt: number }> => {
    const { services } = ctx
    const view =
      (await readInstanceView(services.database, input.instance)) ?? refuseUnknown('instance', input.instance)
    const { id, name } = view.instance
    const about = { what: `Measure the memory of ${name}`, where: name }
    const { host } = view
    if (host === null || (await services.transfers.policyTo(host.id)) === null)
      return refuse('wrong-state', {
        ...about,
        need: 'on a real host',
        have: host === null ? 'on no host' : `on ${host.name}, a simulated host`,
      })
    const measured = await services.transfers.measure({ host: host.id, instance: id })
    if ('why' in measured) {
      const next = 'Measure again when its hypervisor answers.'
      return refuse('not-permitted', { ...about, need: 'an answer of its hypervisor', have: measured.why, next })
    }
    const at = services.now()
    return commitWithRetry(services, async () => ({
      change: {
        guards: NO_GUARDS,
        writes: [],
        event: {
          ...{ kind: MEASURED, instance: id, migration: null, hosts: [host.id] },
          data: usableFiguresOf(measured, view),
        },
        ...{ actor: actorOf(ctx, input.reason), at },
      },
      about,
      answer: { acceptedAt: at },
    }))
  })

/** The valid part of the measurement: its figures include neither huge pages nor small blocks. */
function usableFiguresOf(
  { dirtyBytesPerS, residentBytes }: MemoryMeasurement,
  { instance: { id, flavor }, host }: InstanceWithHost,
) {
  const nodes = host?.holdings.find(({ consumer }) => consumer === id)?.body.cells ?? []
  const blocks = nodes.length > 1 ? nodes.map(({ memoryMib }) => memoryMib) : [flavor.memoryMib]
  const isSampled = blocks.every((memoryMib) => memoryMib >= SAMPLED_FROM_MIB)
  const isResident = nodes.every(({ pageKib }) => pageKib === null || pageKib < HUGE_FROM_KIB)
  return { dirtyBytesPerS: isSampled ? dirtyBytesPerS : null, residentBytes: isResident ? residentBytes : null }
}
