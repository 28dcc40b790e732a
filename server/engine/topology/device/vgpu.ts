import type { VgpuRequest } from '../demand'
import type { Wish } from './slots'

// vGPUs: slots of a GPU, each with the mdev type it becomes. Source: Nova virtual GPU guide. One GPU offers one type
// (`[mdev_nvidia-35] device_addresses`), so slots of one parent never compete by type; only the parent itself, passed
// through whole, competes with them.

export function vgpuWish(request: VgpuRequest): Wish {
  const { mdevType, resourceClass = null } = request
  return {
    requestId: request.requestId,
    kind: 'vgpu',
    count: request.count,
    accepts: ({ devices: [slot] }) =>
      slot?.kind === 'vgpu' &&
      (mdevType === null || slot.mdevType === mdevType) &&
      (resourceClass === null || slot.resourceClass === resourceClass),
    // Nova never refuses a vGPU for its cell; nearness stays a preference.
    policy: null,
    providers: request.providers,
  }
}
