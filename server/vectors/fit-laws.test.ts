import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allocatePci } from '../engine/topology/device/pci'
import { type Fit, type FitInput, fitInstance, prepareHost } from '../engine/topology/numa'
import { claimNodes, cpusTaken, releaseNodes } from '../engine/topology/usage'
import { devicesByForce, fitsByForce, type SmallCase } from './brute-force'
import { checkFit } from './fit-check'
import { deviceOf, limitsOf, numaNodeOf, requestOf, topologyOf } from './from-nova'
import { checkDevices } from './pci-check'
import { guestArb, jointCaseArb, nodesArb, smallCaseArb } from './small-cases'
import { devicesArb, requestsArb } from './small-devices'

// Properties of the fit on small random cases, against exhaustive search and the independent checks.

const RUNS = 800

function inputOf({ cells, guest, limits, devices, requests }: SmallCase): FitInput {
  return {
    host: prepareHost(cells.map(numaNodeOf), devices.map(deviceOf)),
    demand: { topology: topologyOf(guest), devices: requests.map(requestOf) },
    limits: limitsOf(limits),
  }
}

const addressesOf = (fit: { readonly devices: readonly { readonly units: readonly string[] }[] }) =>
  fit.devices.map(({ units }) => units.map((unit) => unit.slice('pci:'.length)))

function problemsOf(small: SmallCase, fit: Fit & { ok: true }): readonly string[] {
  const { cells: host, guest, limits, devices, requests } = small
  const cells = fit.cells.map((cell) => ({
    hostCellId: cell.hostCell,
    pageSizeKib: cell.pageKib,
    cpuPinning: new Map(cell.pins),
    cpusetReserved: cell.reservedCpus,
  }))
  const instanceCells = fit.cells.map((cell) => cell.hostCell)
  const given = addressesOf(fit)
  return [
    ...checkFit({ host, guest, limits, cells }),
    ...checkDevices({ cells: host, devices, requests, instanceCells, given }),
  ]
}

describe('a fit', () => {
  it('agrees with brute force, and a positive result is valid', () => {
    fc.assert(
      fc.property(smallCaseArb, (small) => {
        const fit = fitInstance(inputOf(small))
        expect(fit.ok).toBe(fitsByForce(small))
        if (fit.ok) expect(problemsOf(small, fit)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  it('finds the NUMA nodes that devices and networks need, whenever they exist', () => {
    fc.assert(
      fc.property(jointCaseArb, (small) => {
        const fit = fitInstance(inputOf(small))
        expect(fit.ok).toBe(fitsByForce(small))
        if (fit.ok) expect(problemsOf(small, fit)).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  it('is refused with reasons that have a real shortage', () => {
    fc.assert(
      fc.property(smallCaseArb, (small) => {
        const fit = fitInstance(inputOf(small))
        if (fit.ok) return
        expect(fit.refusals).not.toEqual([])
        for (const refusal of fit.refusals) {
          expect(refusal.kind).not.toBe('search-exhausted')
          if (!('shortBy' in refusal)) continue
          expect(refusal.shortBy, JSON.stringify(refusal)).toBeGreaterThan(0)
          // Equal only where a NUMA node already exceeds its limit and the instance adds nothing to it.
          expect(refusal.free, JSON.stringify(refusal)).toBeLessThanOrEqual(refusal.need)
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('does not depend on the order of NUMA nodes or devices, and is deterministic', () => {
    fc.assert(
      fc.property(smallCaseArb, (small) => {
        const turned = { ...small, cells: small.cells.toReversed(), devices: small.devices.toReversed() }
        const fit = fitInstance(inputOf(small))
        expect(fitInstance(inputOf(turned)).ok).toBe(fit.ok)
        expect(fitInstance(inputOf(small))).toEqual(fit)
      }),
      { numRuns: 500 },
    )
  })

  it('can be claimed, holds exactly free units, and releases all of them', () => {
    fc.assert(
      fc.property(nodesArb(3), guestArb, (cells, guest) => {
        const input = inputOf({ cells, guest, limits: null, devices: [], requests: [] })
        const fit = fitInstance(input)
        if (!fit.ok) return
        const before = input.host.numaNodes
        const taken = claimNodes(before, fit.cells)
        if (!taken.ok) throw new Error(`not takeable: ${JSON.stringify(taken.error)}`)
        const held = new Set(cpusTaken(before, fit.cells).map(({ cpu }) => cpu))
        const pinnedIn = (list: typeof before) => list.flatMap((cell) => cell.pinnedCpus)
        expect(new Set(pinnedIn(taken.nodes))).toEqual(new Set([...pinnedIn(before), ...held]))
        expect(pinnedIn(taken.nodes)).toHaveLength(pinnedIn(before).length + held.size)
        expect(releaseNodes(taken.nodes, fit.cells)).toEqual({ ok: true, nodes: before })
      }),
      { numRuns: RUNS },
    )
  })
})

describe('devices', () => {
  const twoNodes = nodesArb(3).filter((cells) => cells.length > 1)
  const where = fc.option(fc.constantFrom([0], [0, 2]), { nil: null })

  it('are assigned validly, and exactly when brute force finds a way', () => {
    fc.assert(
      fc.property(twoNodes, devicesArb, requestsArb, where, (cells, devices, requests, instanceCells) => {
        const question = { cells, devices, requests, instanceCells }
        const allocation = allocatePci({
          numaNodes: cells.map(numaNodeOf),
          devices: devices.map(deviceOf),
          requests: requests.map(requestOf),
          instanceNodes: instanceCells,
        })
        expect(allocation !== null).toBe(devicesByForce(question))
        if (allocation === null) return
        expect(checkDevices({ ...question, given: addressesOf({ devices: allocation }) })).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })
})
