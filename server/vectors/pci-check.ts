import type { VectorDevice, VectorRequest } from './vector-file'

// Whether an assignment of devices is valid. Written without code of the engine, like `fit-check.ts`.

export interface ClaimedDevices {
  readonly cells: readonly { readonly id: number; readonly socket: number | null }[]
  readonly devices: readonly VectorDevice[]
  readonly requests: readonly VectorRequest[]
  readonly instanceCells: readonly number[] | null
  /** Addresses per request, in the order of the requests. */
  readonly given: readonly (readonly string[])[]
}

export function checkDevices(claim: ClaimedDevices): readonly string[] {
  const problems: string[] = []
  const all = claim.given.flat()
  if (new Set(all).size !== all.length) problems.push('a device is given twice')
  claim.requests.forEach((request, index) => {
    const addresses = claim.given[index] ?? []
    if (addresses.length !== request.count) problems.push(`${addresses.length} devices for ${request.count}`)
    const devices = addresses.flatMap((address) => claim.devices.filter((device) => device.address === address))
    if (devices.length !== addresses.length) problems.push('a device that is not there')
    for (const device of devices) {
      if (!device.free) problems.push(`${device.address} is not free`)
      if (device.parentAddress !== null && all.includes(device.parentAddress)) {
        problems.push(`${device.address} and its PF are both given`)
      }
      if (!matches(request, device)) problems.push(`${device.address} does not match the request`)
      if (!near(request, device, claim)) problems.push(`${device.address} is too far away`)
    }
    const providers = request.placementProviders
    const own = devices.map((device) => String(device.rpUuid)).sort()
    if (providers && String(providers.toSorted()) !== String(own)) problems.push('not the providers Placement chose')
  })
  return problems
}

function matches(request: VectorRequest, device: VectorDevice): boolean {
  const facts: Record<string, string> = {
    ...(device.devType === 'type-PCI' ? {} : { remote_managed: 'false' }),
    ...device.tags,
    vendor_id: device.vendorId,
    product_id: device.productId,
    dev_type: device.devType,
    numa_node: String(device.numaNode ?? 'none'),
  }
  const same = (key: string, value: string) => facts[key]?.toLowerCase() === String(value).toLowerCase()
  const asks = (key: string, value: string) => request.spec.some((entry) => entry[key]?.toLowerCase() === value)
  if (!request.spec.some((entry) => Object.entries(entry).every(([key, value]) => same(key, value)))) return false
  if (device.devType === 'type-PF' && !asks('dev_type', 'type-pf')) return false
  if (device.devType === 'vdpa' && !asks('dev_type', 'vdpa')) return false
  return !same('remote_managed', 'true') || asks('remote_managed', 'true')
}

function near(request: VectorRequest, device: VectorDevice, { instanceCells, cells }: ClaimedDevices): boolean {
  if (instanceCells === null || request.numaPolicy === 'preferred') return true
  if (device.numaNode === null) return request.numaPolicy === null || request.numaPolicy === 'legacy'
  if (instanceCells.includes(device.numaNode)) return true
  if (request.numaPolicy !== 'socket' || cells.some((cell) => cell.socket === null)) return false
  const socketOf = (id: number) => cells.find((cell) => cell.id === id)?.socket
  const socket = socketOf(device.numaNode)
  return socket !== undefined && instanceCells.some((id) => socketOf(id) === socket)
}
