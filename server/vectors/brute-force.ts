import { type ClaimedDevices, checkDevices } from './pci-check'
import type { VectorDevice, VectorGuest, VectorGuestNode, VectorLimits, VectorNode, VectorRequest } from './vector-file'

// The verdict by exhaustive search, written without code of the engine. Feasible only for small cases, but so simple
// that it cannot share a defect with the engine.

export interface SmallCase {
  readonly cells: readonly VectorNode[]
  readonly guest: VectorGuest
  readonly limits: VectorLimits | null
  readonly devices: readonly VectorDevice[]
  readonly requests: readonly VectorRequest[]
}

export function fitsByForce({ cells, guest, limits, devices, requests }: SmallCase): boolean {
  const nodeFits = (index: number, host: VectorNode) => {
    const reserve = index === 0 && guest.emulatorThreadsPolicy === 'isolate' ? 1 : 0
    return holdsByRule({ host, guest: guest.cells[index]!, limits, reserve })
  }
  return arrangements(cells, guest.cells.length).some((chosen) => {
    if (!chosen.every((host, index) => nodeFits(index, host))) return false
    const instanceCells = chosen.map((host) => host.id)
    if (limits?.network !== undefined && !networksHold(cells, instanceCells, limits.network)) return false
    return devicesByForce({ cells, devices, requests, instanceCells })
  })
}

function arrangements<T>(items: readonly T[], length: number): readonly (readonly T[])[] {
  if (length === 0) return [[]]
  return items.flatMap((item) =>
    arrangements(
      items.filter((other) => other !== item),
      length - 1,
    ).map((rest) => [item, ...rest]),
  )
}

interface Pair {
  readonly host: VectorNode
  readonly guest: VectorGuestNode
  readonly limits: VectorLimits | null
  readonly reserve: number
}

function holdsByRule(pair: Pair): boolean {
  return cpusHold(pair) && memoryHolds(pair) && limitsHold(pair)
}

function cpusHold({ host, guest, reserve }: Pair): boolean {
  const pinned = guest.cpuPolicy === 'dedicated' || guest.cpuPolicy === 'mixed'
  if (guest.cpuPolicy !== 'dedicated' && guest.cpuset.length > host.cpuset.length) return false
  if (!pinned) return reserve === 0
  const need = guest.pcpuset.length
  const free = new Set(host.pcpuset.filter((cpu) => !host.pinnedCpus.includes(cpu)))
  if (need + reserve > free.size || (reserve > 0 && need === 0)) return false
  const smt = Math.max(1, ...host.siblings.map((group) => group.length))
  const freeThreads = host.siblings.map((group) => group.filter((cpu) => free.has(cpu)).length)
  if (guest.cpuThreadPolicy === 'isolate') {
    const whole = freeThreads.filter((threads) => threads === smt).length
    const legacy = String(host.cpuset) === String(host.pcpuset)
    const spare = whole > need || freeThreads.some((threads) => threads > 0 && threads < smt)
    return need > 0 && need <= whole && (smt === 1 || legacy) && (reserve === 0 || spare)
  }
  if (guest.cpuThreadPolicy !== 'require') return true
  return freeThreads.some((threads) => threads >= 2 && threads * freeThreads.filter((n) => n >= threads).length >= need)
}

function memoryHolds({ host, guest }: Pair): boolean {
  const pinned = guest.cpuPolicy === 'dedicated' || guest.cpuPolicy === 'mixed'
  const pages = host.memPages.toSorted((a, b) => a.sizeKib - b.sizeKib)
  const needKib = guest.memoryMib * 1024
  const freeOf = (pool: (typeof pages)[number]) => pool.total - pool.used - pool.reserved
  const asked = guest.pageSizeKib
  if (asked === null) {
    const smallest = pages[0]
    if (smallest === undefined) return guest.memoryMib <= host.memoryMib - (pinned ? host.memoryUsageMib : 0)
    const room = pinned ? freeOf(smallest) : smallest.total
    return needKib % smallest.sizeKib === 0 && needKib <= room * smallest.sizeKib
  }
  const allowed = pages.filter((pool, index) => {
    if (asked === -1) return index === 0
    if (asked === -2) return index > 0
    return asked === -3 || pool.sizeKib === asked
  })
  return allowed.some((pool) => needKib % pool.sizeKib === 0 && needKib <= freeOf(pool) * pool.sizeKib)
}

function limitsHold({ host, guest, limits }: Pair): boolean {
  if (limits === null || guest.cpuPolicy === 'dedicated') return true
  return (
    host.cpuUsage + guest.cpuset.length <= host.cpuset.length * limits.cpuAllocationRatio &&
    host.memoryUsageMib + guest.memoryMib <= host.memoryMib * limits.ramAllocationRatio
  )
}

function networksHold(
  cells: readonly VectorNode[],
  chosen: readonly number[],
  network: NonNullable<VectorLimits['network']>,
): boolean {
  const served = (knows: (cell: VectorNode) => boolean) =>
    !cells.some(knows) || cells.some((cell) => knows(cell) && chosen.includes(cell.id))
  return (
    network.physnets.every((name) => served((cell) => cell.network?.physnets.includes(name) ?? false)) &&
    (!network.tunneled || served((cell) => cell.network?.tunneled ?? false))
  )
}

type DeviceCase = Omit<ClaimedDevices, 'given'>

/** Tries every assignment of devices, and validates each by the independent check. */
export function devicesByForce(question: DeviceCase): boolean {
  const hand = (given: readonly (readonly string[])[]): boolean => {
    const request = question.requests[given.length]
    if (request === undefined) return checkDevices({ ...question, given }).length === 0
    const used = given.flat()
    const free = question.devices.filter((device) => device.free && !used.includes(device.address))
    return choices(
      free.map((device) => device.address),
      request.count,
    ).some((addresses) => hand([...given, addresses]))
  }
  return hand([])
}

function choices<T>(items: readonly T[], count: number): readonly (readonly T[])[] {
  if (count === 0) return [[]]
  return items.flatMap((item, index) => choices(items.slice(index + 1), count - 1).map((rest) => [item, ...rest]))
}
