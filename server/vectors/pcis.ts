import { allocatePci } from '../engine/topology/device/pci'
import {
  type PciOperation,
  type PciRow,
  type PciStatus,
  type PciStepError,
  stepPci,
} from '../engine/topology/device/pci-lifecycle'
import type { NumaNode } from '../engine/topology/host'
import { deviceOf, requestOf } from './from-nova'
import { checkDevices } from './pci-check'
import type { PciCaseFile, VectorCase, VectorDevice, Verdict } from './vector-file'

// pci.json, pci_quirks.json and pci_lifecycle.json.

/**
 * `feasible` is the correct verdict: Nova's own, except in the quirks (a greedy miss, a scheduler that disagrees with
 * the claim, a crash). The engine must return `feasible` in both files.
 */
export function replayPci(vector: VectorCase): Verdict {
  const { numaCells, devices, requests, instanceCells, expected } = vector as PciCaseFile
  const allocation = allocatePci({
    numaNodes: numaCells.map(({ id, socket }) => ({ ...BARE_CELL, id, socket })),
    devices: devices.map(deviceOf),
    requests: requests.map(requestOf),
    instanceNodes: instanceCells,
  })
  if ((allocation !== null) !== expected.feasible) {
    return `expected feasible ${expected.feasible} (${expected.class}), got ${allocation !== null}`
  }
  if (allocation === null) return null
  const given = allocation.map(({ units }) => units.map((unit) => unit.slice('pci:'.length)))
  const problems = checkDevices({ cells: numaCells, devices, requests, instanceCells, given })
  return problems.length === 0 ? null : `invalid allocation: ${problems.join('; ')}`
}

const BARE_CELL: NumaNode = {
  id: 0,
  socket: null,
  sharedCpus: [],
  dedicatedCpus: [],
  siblings: [],
  pinnedCpus: [],
  sharedUsed: 0,
  memoryMib: 0,
  memoryUsedMib: 0,
  pages: [],
}

interface LifecycleCase extends VectorCase {
  readonly devices: readonly Pick<VectorDevice, 'address' | 'devType' | 'parentAddress'>[]
  readonly steps: readonly {
    readonly op: PciOperation
    readonly address: string
    readonly instance?: string
    readonly result: string
    readonly freed?: readonly string[]
    readonly statusAfter: Readonly<Record<string, readonly [PciStatus, string | null]>>
  }[]
}

const NOVA_CLASS: { readonly [K in PciStepError]: string } = {
  'unknown-device': 'PciDeviceNotFoundById',
  'wrong-status': 'PciDeviceInvalidStatus',
  'wrong-owner': 'PciDeviceInvalidOwner',
  'parent-status': 'PciDevicePFInvalidStatus',
  'child-status': 'PciDeviceVFInvalidStatus',
}

export function replayLifecycle(vector: VectorCase): Verdict {
  const { devices, steps } = vector as LifecycleCase
  let rows: readonly PciRow[] = devices.map((device) => ({ ...device, status: 'available', owner: null }))
  for (const [index, step] of steps.entries()) {
    const result = stepPci(rows, { op: step.op, address: step.address, owner: step.instance ?? null })
    const got = result.ok ? 'ok' : NOVA_CLASS[result.error]
    const at = `step ${index} (${step.op} ${step.address})`
    if (got !== step.result) return `${at}: expected ${step.result}, got ${got}`
    if (result.ok) rows = result.rows
    if (result.ok && step.freed && String(result.freed.toSorted()) !== String(step.freed.toSorted())) {
      return `${at}: expected to free ${step.freed}, freed ${result.freed}`
    }
    for (const row of rows) {
      const wanted = JSON.stringify(step.statusAfter[row.address])
      const now = JSON.stringify([row.status, row.owner])
      if (now !== wanted) return `${at}: ${row.address} should be ${wanted}, is ${now}`
    }
  }
  return null
}
