import type { ClaimBody, Host } from '../../host'
import type { Refusal } from '../../words/refusal'
import type { AnyDeviceRequest } from './devices'

// A `preferred` device may be on another NUMA node than its instance. That is allowed, but slower, so it is reported.

export type DeviceOffNode = Extract<Refusal, { kind: 'device-off-node' }>

/** One warning per device that was requested as `preferred` and is on a NUMA node that its instance is not on. */
export function devicesOffNode(
  requested: readonly AnyDeviceRequest[],
  host: Host,
  { cells, units }: Pick<ClaimBody, 'cells' | 'units'>,
): readonly DeviceOffNode[] {
  const preferred = new Set(requested.filter(isPreferred).map(({ requestId }) => requestId))
  if (cells.length === 0 || preferred.size === 0) return []
  const nodes = [...new Set(cells.map(({ hostCell }) => hostCell))].sort((a, b) => a - b)
  return units.flatMap(({ unit, use, requestId }): DeviceOffNode[] => {
    if (use !== 'device' || requestId === undefined || !preferred.has(requestId)) return []
    const node = host.devices.find((device) => device.unit === unit)?.cell ?? null
    if (node === null || nodes.includes(node)) return []
    const where = { unit, requestId }
    return [{ kind: 'device-off-node', where, need: `NUMA node ${nodes.join(' or ')}`, have: `NUMA node ${node}` }]
  })
}

const isPreferred = (ask: AnyDeviceRequest) => ask.kind === 'pci' && ask.numaPolicy === 'preferred'
