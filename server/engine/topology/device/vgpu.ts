import { VGPU } from '../../words/units'
import type { DeviceQuestion, DeviceRequest } from './slots'

// vGPUs: slots of a GPU, each with the mdev type it becomes. Source: Nova virtual GPU guide. One GPU offers one type
// (`[mdev_nvidia-35] device_addresses`), so slots of one parent never compete by type; only the parent itself, passed
// through whole, competes with them.

/** vGPUs of one type (Nova `resources:VGPU`, or a custom class per mdev type). `mdevType` null takes any type. */
export interface VgpuRequest {
  readonly kind: 'vgpu'
  readonly requestId: string
  readonly count: number
  readonly mdevType: string | null
  /** Resource class when the flavor requests a custom one; null means VGPU whatever its class. */
  readonly resourceClass: string | null
  /** One Placement provider per vGPU, when Placement has chosen. */
  readonly providers?: readonly string[]
}

/** One request for each class of vGPUs that the flavor requests. */
export function vgpuRequestsOf({ resources, vgpuClasses }: DeviceQuestion): readonly VgpuRequest[] {
  const requested = [VGPU, ...vgpuClasses].flatMap((resourceClass) => {
    const count = resources.get(resourceClass) ?? 0
    resources.delete(resourceClass)
    return count > 0 ? [{ count, resourceClass: resourceClass === VGPU ? null : resourceClass }] : []
  })
  return requested.map((each, index) => ({ kind: 'vgpu', requestId: `vgpu:${index}`, mdevType: null, ...each }))
}

/** The driver in a running guest knows only its present type of vGPU. */
export const runningVgpu = (request: VgpuRequest, mdevType: string | null): VgpuRequest => ({
  ...request,
  mdevType: mdevType ?? request.mdevType,
})

export function vgpuDeviceRequest({ mdevType, resourceClass, ...request }: VgpuRequest): DeviceRequest {
  return {
    requestId: request.requestId,
    kind: 'vgpu',
    count: request.count,
    accepts: ({ devices: [slot] }) =>
      slot?.kind === 'vgpu' &&
      (mdevType === null || slot.mdevType === mdevType) &&
      (resourceClass === null || slot.resourceClass === resourceClass),
    // Nova never refuses a vGPU for its NUMA node; proximity stays a preference.
    policy: null,
    providers: request.providers,
  }
}
