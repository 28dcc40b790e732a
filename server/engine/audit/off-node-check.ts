import { devicesOffNode } from '../topology/device/off-node'
import { type AuditRecords, type DemandFor, heldBy, ofHolding, type Report } from './finding'
import { eachClaimOf } from './shape-check'

// A `preferred` device may be on another NUMA node than its instance: no row is wrong, but the instance is slower.

export function devicesAreNear(records: AuditRecords, report: Report, demandOf: DemandFor): void {
  eachClaimOf(records, (consumer, of) => {
    const demand = demandOf(of)
    if (demand === null || demand.devices.length === 0) return
    for (const { host, holding } of heldBy(records, consumer)) {
      for (const { where, need, have } of devicesOffNode(demand.devices, host, holding.body)) {
        report({
          kind: 'device-off-node',
          host: host.id,
          ...ofHolding(holding),
          ...(where.unit === undefined ? {} : { where: { unit: where.unit } }),
          expected: `on ${need}, with its instance`,
          found: `on ${have}`,
        })
      }
    }
  })
}
