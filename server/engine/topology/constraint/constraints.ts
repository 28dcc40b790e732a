import { PCPU, VCPU } from '../../words/units'
import { parseCpuList, readInteger } from '../cpu/cpu-list'
import type { CpuPolicy, CpuThreadPolicy, EmulatorThreadsPolicy, GuestNode, GuestTopology } from '../guest-topology'
import {
  type ConstraintError,
  ConstraintViolation,
  type Flavor,
  type Image,
  type ImageProperties,
  readImage,
  readList,
} from './flavor-image'
import {
  cpuPolicyRule,
  dedicatedMaskRule,
  emulatorThreadsRule,
  hyperthreadingTrait,
  lockedMemoryRule,
  numaNodesRule,
  pageSizeRule,
  pmemLabels,
  realtimeRule,
  requestedAmountOf,
  threadPolicyRule,
} from './rules'

export type { ConstraintError, Flavor, ImageProperties } from './flavor-image'

// Derives the guest topology from flavor and image. Source: Nova `hardware.numa_get_constraints`. The order of the
// rules is part of the contract: when several are broken, the first in this order is reported.

export type ConstraintResult =
  | { readonly ok: true; readonly topology: GuestTopology | null }
  | { readonly ok: false; readonly error: ConstraintError }

/** `topology` null: the instance needs no NUMA placement, only amounts. */
export function guestTopologyOf(flavor: Flavor, properties: ImageProperties): ConstraintResult {
  const image = readImage(properties)
  const topology = image instanceof ConstraintViolation ? image : combine(flavor, image)
  return topology instanceof ConstraintViolation ? { ok: false, error: topology.error } : { ok: true, topology }
}

interface CpuRequest {
  readonly policy: CpuPolicy | null
  readonly threadPolicy: CpuThreadPolicy | null
  readonly emulatorThreads: EmulatorThreadsPolicy | null
  readonly dedicated: readonly number[]
}

function combine(flavor: Flavor, image: Image): GuestTopology | null | ConstraintViolation {
  const cpu = cpuRequest(flavor, image)
  if (cpu instanceof ConstraintViolation) return cpu
  const nodes = numaNodesRule(flavor, image)
  if (nodes instanceof ConstraintViolation) return nodes
  const pageKib = pageSizeRule(flavor, image)
  if (pageKib instanceof ConstraintViolation) return pageKib
  const locked = lockedMemoryRule(flavor, image)
  if (locked instanceof ConstraintViolation) return locked

  const forced = nodes || pageKib || pmemLabels(flavor).length > 0
  if (!forced && (cpu.policy === null || cpu.policy === 'shared')) return null
  const shares = nodeShares({ flavor, image, nodes: nodes ?? 1 })
  if (shares instanceof ConstraintViolation) return shares
  const dedicated = new Set(cpu.dedicated)
  const cells = shares.map((share, id): GuestNode => {
    return {
      id,
      sharedVcpus: share.vcpus.filter((vcpu) => !dedicated.has(vcpu)),
      dedicatedVcpus: share.vcpus.filter((vcpu) => dedicated.has(vcpu)),
      memoryMib: share.memoryMib,
      pageKib: pageKib === null ? null : Math.trunc(pageKib),
      cpuPolicy: cpu.policy,
      threadPolicy: cpu.threadPolicy,
    }
  })
  return { emulatorThreads: cpu.emulatorThreads, cells }
}

function cpuRequest(flavor: Flavor, image: Image): CpuRequest | ConstraintViolation {
  const requested = cpuPolicyRule(flavor, image)
  if (requested instanceof ConstraintViolation) return requested
  const requestedThreads = threadPolicyRule(flavor, image)
  if (requestedThreads instanceof ConstraintViolation) return requestedThreads
  const realtime = realtimeRule(flavor, image)
  if (realtime instanceof ConstraintViolation) return realtime
  const mask = dedicatedMaskRule(flavor)
  if (mask instanceof ConstraintViolation) return mask
  const emulatorThreads = emulatorThreadsRule(flavor)
  if (emulatorThreads instanceof ConstraintViolation) return emulatorThreads
  const policy = policyByResources(flavor, requested, emulatorThreads)
  if (policy instanceof ConstraintViolation) return policy
  const threadPolicy = policyByTrait(requestedThreads, hyperthreadingTrait(flavor, image))
  if (threadPolicy instanceof ConstraintViolation) return threadPolicy
  const broken = contradiction({ policy, threadPolicy, emulatorThreads, realtime, mask })
  if (broken !== null) return broken
  const all = policy === 'dedicated' ? [...Array(flavor.vcpus).keys()] : null
  return {
    policy,
    threadPolicy,
    emulatorThreads,
    dedicated: all ?? mask ?? (policy === 'mixed' ? realtime : null) ?? [],
  }
}

/** `resources:PCPU` and `resources:VCPU` are the other syntax for dedicated and shared; never both at once. */
function policyByResources(flavor: Flavor, requested: CpuPolicy | null, emulator: EmulatorThreadsPolicy | null) {
  const vcpus = requestedAmountOf(flavor, VCPU)
  const pcpus = requestedAmountOf(flavor, PCPU)
  const conflict = (why: string) => new ConstraintViolation('resources-conflict', why)
  if (requested !== null && (vcpus || pcpus)) return conflict('resources:VCPU or PCPU together with a CPU policy')
  if (vcpus && pcpus) return conflict('both resources:VCPU and resources:PCPU')
  if (pcpus) {
    const need = flavor.vcpus + (emulator === 'isolate' ? 1 : 0)
    return pcpus === need ? ('dedicated' as const) : conflict(`resources:PCPU is ${pcpus}, the flavor needs ${need}`)
  }
  return vcpus ? ('shared' as const) : requested
}

function policyByTrait(
  requested: CpuThreadPolicy | null,
  trait: string | null,
): CpuThreadPolicy | null | ConstraintViolation {
  if (requested !== null && trait !== null) {
    return new ConstraintViolation('resources-conflict', 'trait HW_CPU_HYPERTHREADING together with a thread policy')
  }
  if (trait === 'forbidden') return 'isolate'
  return trait === 'required' ? 'require' : requested
}

interface CpuRules {
  readonly policy: CpuPolicy | null
  readonly threadPolicy: CpuThreadPolicy | null
  readonly emulatorThreads: EmulatorThreadsPolicy | null
  readonly realtime: readonly number[] | null
  readonly mask: readonly number[] | null
}

function contradiction(cpu: CpuRules): ConstraintViolation | null {
  const { policy, mask, realtime } = cpu
  if (policy === 'mixed') {
    const masks = (mask ? 1 : 0) + (realtime ? 1 : 0)
    return masks === 1
      ? null
      : new ConstraintViolation('mask-missing-or-doubled', `mixed needs one mask, there are ${masks}`)
  }
  if (policy === 'dedicated') {
    return mask
      ? new ConstraintViolation('dedicated-mask-without-mixed', 'hw:cpu_dedicated_mask needs policy mixed')
      : null
  }
  if (cpu.threadPolicy)
    return new ConstraintViolation('thread-policy-without-dedicated', 'a thread policy needs dedicated CPUs')
  if (cpu.emulatorThreads === 'isolate') {
    return new ConstraintViolation(
      'emulator-threads-without-dedicated',
      'isolated emulator threads need dedicated CPUs',
    )
  }
  if (mask) return new ConstraintViolation('dedicated-mask-without-mixed', 'hw:cpu_dedicated_mask needs policy mixed')
  return realtime ? new ConstraintViolation('realtime-without-dedicated', 'real time needs dedicated CPUs') : null
}

interface NodeShare {
  readonly vcpus: readonly number[]
  readonly memoryMib: number
}

interface ShareQuestion {
  readonly flavor: Flavor
  readonly image: Image
  readonly nodes: number
}

/** The vCPUs and memory of each guest NUMA node: as listed, else in equal parts. */
function nodeShares({ flavor, image, nodes }: ShareQuestion): readonly NodeShare[] | ConstraintViolation {
  const cpus = readList(flavor.extraSpecs, 'hw:numa_cpus', { read: parseCpuList, wrong: 'cpu-list-invalid' })
  if (cpus instanceof ConstraintViolation) return cpus
  if (cpus && image.numaCpus) return new ConstraintViolation('numa-forbidden', 'both flavor and image set numa_cpus')
  const memory = readList(flavor.extraSpecs, 'hw:numa_mem', { read: readInteger, wrong: 'not-a-value' })
  if (memory instanceof ConstraintViolation) return memory
  if (memory && image.numaMemoryMib)
    return new ConstraintViolation('numa-forbidden', 'both flavor and image set numa_mem')
  const cpuLists = cpus ?? image.numaCpus
  const memoryList = memory ?? image.numaMemoryMib
  if (cpuLists === null && memoryList === null) return equalShares(flavor, nodes)
  if (cpuLists?.length !== nodes || memoryList?.length !== nodes) {
    return new ConstraintViolation('numa-incomplete', `${nodes} NUMA nodes need as many numa_cpus and as many numa_mem`)
  }
  const shares = cpuLists.map((vcpus, node) => ({ vcpus, memoryMib: memoryList[node] ?? 0 }))
  return checkedShares(flavor, shares)
}

function equalShares(flavor: Flavor, nodes: number): readonly NodeShare[] | ConstraintViolation {
  if (flavor.vcpus % nodes !== 0 || flavor.memoryMib % nodes !== 0) {
    return new ConstraintViolation(
      'numa-asymmetric',
      `${flavor.vcpus} vCPUs and ${flavor.memoryMib} MiB do not divide by ${nodes}`,
    )
  }
  const each = flavor.vcpus / nodes
  return Array.from({ length: nodes }, (_, node) => ({
    vcpus: Array.from({ length: each }, (_, index) => node * each + index),
    memoryMib: flavor.memoryMib / nodes,
  }))
}

function checkedShares(flavor: Flavor, shares: readonly NodeShare[]): readonly NodeShare[] | ConstraintViolation {
  const seen = new Set<number>()
  for (const cpu of shares.flatMap((share) => share.vcpus)) {
    if (cpu >= flavor.vcpus) return new ConstraintViolation('numa-cpu-out-of-range', `vCPU ${cpu} of ${flavor.vcpus}`)
    if (seen.has(cpu)) return new ConstraintViolation('numa-cpu-duplicate', `vCPU ${cpu} is on two NUMA nodes`)
    seen.add(cpu)
  }
  if (seen.size < flavor.vcpus)
    return new ConstraintViolation('numa-cpu-unassigned', `${flavor.vcpus - seen.size} vCPUs on no NUMA node`)
  const sum = shares.reduce((total, share) => total + share.memoryMib, 0)
  if (sum !== flavor.memoryMib) {
    return new ConstraintViolation('numa-memory-sum', `NUMA nodes have ${sum} MiB, the flavor ${flavor.memoryMib}`)
  }
  return shares
}
