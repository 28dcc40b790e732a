import { type Fit, fitInstance, prepareHost } from '../engine/topology/numa'
import { checkFit } from './fit-check'
import { deviceOf, devicesOfPools, limitsOf, numaNodeOf, requestOf, topologyOf } from './from-nova'
import { checkDevices } from './pci-check'
import type { FitCaseFile, VectorCase, VectorDevice, Verdict } from './vector-file'

// fit.json and fit_quirks.json. The verdict must be the recorded one, and a fit must also pass the independent checks.

export function replayFit(vector: VectorCase): Verdict {
  const question = vector as FitCaseFile
  const devices = devicesOfPools(question.pci?.pools ?? [])
  const fit = fitInstance({
    host: prepareHost(question.host.cells.map(numaNodeOf), devices.map(deviceOf)),
    demand: {
      topology: topologyOf(question.instance),
      devices: (question.pci?.requests ?? []).map(requestOf),
    },
    limits: limitsOf(question.limits),
  })
  if (fit.ok !== question.expected.fits) {
    const why = fit.ok ? '' : `: ${fit.refusals.map((refusal) => refusal.kind).join(', ')}`
    return `expected fits ${question.expected.fits}, got ${fit.ok}${why}`
  }
  if (!fit.ok) return fit.refusals.length > 0 ? null : 'refused without a refusal'
  const problems = fitProblems(question, fit, devices)
  return problems.length === 0 ? null : `invalid fit: ${problems.join('; ')}`
}

function fitProblems(question: FitCaseFile, fit: Fit & { ok: true }, devices: readonly VectorDevice[]) {
  const { host, instance, limits, pci } = question
  const problems = checkFit({
    host: host.cells,
    guest: instance,
    limits,
    cells: fit.cells.map((cell) => ({
      hostCellId: cell.hostCell,
      pageSizeKib: cell.pageKib,
      cpuPinning: new Map(cell.pins),
      cpusetReserved: cell.reservedCpus,
    })),
  })
  if (pci === null) return problems
  const { requests } = pci
  const instanceCells = fit.cells.map((cell) => cell.hostCell)
  const given = fit.devices.map(({ units }) => units.map((unit) => unit.slice('pci:'.length)))
  return [...problems, ...checkDevices({ cells: host.cells, devices, requests, instanceCells, given })]
}
