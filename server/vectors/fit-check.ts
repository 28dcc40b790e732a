import type { VectorGuest, VectorGuestNode, VectorLimits, VectorNode } from './vector-file'

// Whether a reported fit is valid. Written from Nova's rules and without code of the engine, so that a defect in one
// cannot hide a defect in the other. Returns every violated rule.

export interface ClaimedNode {
  readonly hostCellId: number
  readonly pageSizeKib: number | null
  readonly cpuPinning: ReadonlyMap<number, number>
  readonly cpusetReserved: readonly number[]
}

export interface ClaimedFit {
  readonly host: readonly VectorNode[]
  readonly guest: VectorGuest
  readonly limits: VectorLimits | null
  readonly cells: readonly ClaimedNode[]
}

export function checkFit({ host, guest, limits, cells }: ClaimedFit): readonly string[] {
  if (cells.length !== guest.cells.length) return [`${cells.length} cells for ${guest.cells.length} guest NUMA nodes`]
  const used = cells.map((cell) => cell.hostCellId)
  const problems = new Set(used).size === used.length ? [] : ['a host cell is used twice']
  cells.forEach((claimed, index) => {
    const hostCell = host.find((cell) => cell.id === claimed.hostCellId)
    const guestCell = guest.cells[index]
    if (hostCell === undefined || guestCell === undefined) {
      problems.push(`host cell ${claimed.hostCellId} is not there`)
      return
    }
    const reserve = index === 0 && guest.emulatorThreadsPolicy === 'isolate' ? 1 : 0
    const pair: Pair = { host: hostCell, guest: guestCell, claimed, reserve }
    const broken = [...cpuProblems(pair), ...threadProblems(pair), ...memoryProblems(pair)]
    if (limits !== null) broken.push(...limitProblems(pair, limits))
    problems.push(...broken.map((problem) => `guest NUMA node ${index} on host NUMA node ${hostCell.id}: ${problem}`))
  })
  if (limits?.network !== undefined) problems.push(...networkProblems(host, used, limits.network))
  return problems
}

interface Pair {
  readonly host: VectorNode
  readonly guest: VectorGuestNode
  readonly claimed: ClaimedNode
  readonly reserve: number
}

const isPinned = (guest: VectorGuestNode) => guest.cpuPolicy === 'dedicated' || guest.cpuPolicy === 'mixed'

const freeOf = (host: VectorNode) => host.pcpuset.filter((cpu) => !host.pinnedCpus.includes(cpu))

function broken(rules: readonly (readonly [isBroken: boolean, rule: string])[]): string[] {
  return rules.flatMap(([isBroken, rule]) => (isBroken ? [rule] : []))
}

function cpuProblems({ host, guest, claimed, reserve }: Pair): readonly string[] {
  const pinnedTo = [...claimed.cpuPinning.values()]
  if (!isPinned(guest)) {
    return broken([
      [pinnedTo.length > 0, 'a shared guest is pinned'],
      [claimed.cpusetReserved.length > 0 || reserve > 0, 'isolated emulator threads without dedicated CPUs'],
      [guest.cpuset.length > host.cpuset.length, 'more shared vCPUs than shared CPUs'],
    ])
  }
  const free = new Set(freeOf(host))
  const all = [...pinnedTo, ...claimed.cpusetReserved]
  const vcpus = [...claimed.cpuPinning.keys()].sort((a, b) => a - b)
  return broken([
    [String(vcpus) !== String(guest.pcpuset.toSorted((a, b) => a - b)), 'not exactly the dedicated vCPUs are pinned'],
    [new Set(all).size !== all.length, 'a host CPU is used twice'],
    [!all.every((cpu) => free.has(cpu)), 'a host CPU is used that is not free'],
    [claimed.cpusetReserved.length !== reserve, 'wrong number of CPUs for emulator threads'],
    [reserve > 0 && guest.pcpuset.length === 0, 'isolated emulator threads without dedicated CPUs'],
    [guest.cpuPolicy === 'mixed' && guest.cpuset.length > host.cpuset.length, 'more shared vCPUs than shared CPUs'],
  ])
}

function threadProblems({ host, guest, claimed }: Pair): readonly string[] {
  if (claimed.cpuPinning.size === 0) {
    return guest.cpuThreadPolicy === 'isolate' && isPinned(guest) ? ['isolate without a dedicated vCPU'] : []
  }
  const free = new Set(freeOf(host))
  const used = new Set(claimed.cpuPinning.values())
  const smt = Math.max(1, ...host.siblings.map((group) => group.length))
  const cores = host.siblings
    .map((group) => ({
      free: group.filter((cpu) => free.has(cpu)).length,
      used: group.filter((cpu) => used.has(cpu)).length,
      reserved: group.some((cpu) => claimed.cpusetReserved.includes(cpu)),
    }))
    .filter((core) => core.used > 0)
  if (guest.cpuThreadPolicy === 'isolate') {
    const legacy = String(host.cpuset.toSorted()) === String(host.pcpuset.toSorted())
    return broken([
      [smt > 1 && !legacy, 'isolate on an SMT host that is not of the old kind'],
      [cores.some((core) => core.used > 1), 'isolate: two vCPUs on one core'],
      [cores.some((core) => core.free < smt), 'isolate: a core was not entirely free'],
      [cores.some((core) => core.reserved), 'isolate: the reserved CPU is on a core with a vCPU'],
    ])
  }
  if (guest.cpuThreadPolicy !== 'require') return []
  return broken([
    [smt < 2, 'require on a NUMA node without SMT'],
    [cores.some((core) => core.free < 2), 'require: a core had fewer than two free threads'],
    [cores.filter((core) => core.used === 1).length > 1, 'require: more than one core with a lone vCPU'],
  ])
}

function memoryProblems({ host, guest, claimed }: Pair): readonly string[] {
  const needKib = guest.memoryMib * 1024
  const sizes = host.memPages.map((pages) => pages.sizeKib).sort((a, b) => a - b)
  const size = claimed.pageSizeKib
  if (guest.pageSizeKib === null) {
    if (size !== null) return ['a page size nobody asked for']
    const smallest = host.memPages.find((pages) => pages.sizeKib === sizes[0])
    if (smallest === undefined) {
      const room = isPinned(guest) ? host.memoryMib - host.memoryUsageMib : host.memoryMib
      return broken([[guest.memoryMib > room, 'memory does not fit']])
    }
    const pages = isPinned(guest) ? smallest.total - smallest.used - smallest.reserved : smallest.total
    return broken([
      [needKib % smallest.sizeKib !== 0 || needKib > pages * smallest.sizeKib, 'the smallest pages do not hold it'],
    ])
  }
  const chosen = host.memPages.find((pages) => pages.sizeKib === size)
  if (chosen === undefined) return [`pages of ${size} KiB are not there`]
  const asked = guest.pageSizeKib
  const room = (chosen.total - chosen.used - chosen.reserved) * chosen.sizeKib
  return broken([
    [asked > 0 && asked !== size, 'another page size than asked'],
    [asked === -1 && size !== sizes[0], 'not the smallest pages'],
    [asked === -2 && size === sizes[0], 'the smallest pages are not large'],
    [needKib % chosen.sizeKib !== 0 || needKib > room, 'the pages do not hold it'],
  ])
}

function limitProblems({ host, guest }: Pair, limits: VectorLimits): readonly string[] {
  if (guest.cpuPolicy === 'dedicated') return []
  return broken([
    [host.cpuUsage + guest.cpuset.length > host.cpuset.length * limits.cpuAllocationRatio, 'CPU ratio'],
    [host.memoryUsageMib + guest.memoryMib > host.memoryMib * limits.ramAllocationRatio, 'RAM ratio'],
  ])
}

function networkProblems(
  host: readonly VectorNode[],
  used: readonly number[],
  network: NonNullable<VectorLimits['network']>,
): readonly string[] {
  const missed = (knows: (cell: VectorNode) => boolean) => {
    const cells = host.filter(knows)
    return cells.length > 0 && !cells.some((cell) => used.includes(cell.id))
  }
  const tunnels = network.tunneled && missed((cell) => cell.network?.tunneled ?? false)
  const physnets = network.physnets.filter((name) => missed((cell) => cell.network?.physnets.includes(name) ?? false))
  return [...physnets.map((name) => `network ${name} is on none of the cells`), ...broken([[tunnels, 'tunnels']])]
}
