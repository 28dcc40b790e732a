import { PAGE_ANY, PAGE_LARGE } from '../../words/units'
import { parseVcpuMask, readInteger } from '../cpu/cpu-list'
import type { CpuPolicy, CpuThreadPolicy, EmulatorThreadsPolicy, PciNumaPolicy } from '../guest-topology'
import {
  ConstraintViolation,
  CPU_POLICIES,
  type Flavor,
  type Image,
  PCI_NUMA_POLICIES,
  readBoolean,
  THREAD_POLICIES,
} from './flavor-image'
import { parsePageSize } from './page-size'

// One rule per key that both flavor and image may set. Each returns its value, null for nothing requested, or the
// violation. Source: Nova `hardware.get_*_constraint`, https://docs.openstack.org/nova/latest/configuration/extra-specs.html

type Answer<T> = T | null | ConstraintViolation

/** The flavor's text under a key; empty text requests nothing. */
const extraSpecOf = (flavor: Flavor, key: string): string | null => flavor.extraSpecs[key] || null

// Values that an image may not request once the flavor has decided. An image never gets more than its flavor pays for.
const FORBIDDEN_IN_IMAGE: Readonly<Record<CpuPolicy, readonly CpuPolicy[]>> = {
  shared: ['dedicated', 'mixed'],
  mixed: ['dedicated'],
  dedicated: [],
}

export function cpuPolicyRule(flavor: Flavor, image: Image): Answer<CpuPolicy> {
  const text = extraSpecOf(flavor, 'hw:cpu_policy')
  if (text === null) return image.cpuPolicy
  const policy = CPU_POLICIES.find((known) => known === text)
  if (policy === undefined) return new ConstraintViolation('cpu-policy-invalid', `hw:cpu_policy is ${text}`)
  if (image.cpuPolicy !== null && FORBIDDEN_IN_IMAGE[policy].includes(image.cpuPolicy)) {
    return new ConstraintViolation(
      'cpu-policy-forbidden',
      `image requests ${image.cpuPolicy} CPUs, flavor allows ${policy}`,
    )
  }
  return policy
}

export function threadPolicyRule(flavor: Flavor, image: Image): Answer<CpuThreadPolicy> {
  const text = extraSpecOf(flavor, 'hw:cpu_thread_policy')
  if (text === null) return image.threadPolicy
  const policy = THREAD_POLICIES.find((known) => known === text)
  if (policy === undefined) return new ConstraintViolation('thread-policy-invalid', `hw:cpu_thread_policy is ${text}`)
  if (policy !== 'prefer' && image.threadPolicy !== null && image.threadPolicy !== policy) {
    return new ConstraintViolation(
      'thread-policy-forbidden',
      `image requests ${image.threadPolicy}, flavor requires ${policy}`,
    )
  }
  return policy
}

export function emulatorThreadsRule(flavor: Flavor): Answer<EmulatorThreadsPolicy> {
  const text = extraSpecOf(flavor, 'hw:emulator_threads_policy')
  if (text === null || text === 'share' || text === 'isolate') return text
  return new ConstraintViolation('emulator-threads-invalid', `hw:emulator_threads_policy is ${text}`)
}

/** vCPUs that run in real time. The image's mask wins: its author knows which of its CPUs tolerate latency. */
export function realtimeRule(flavor: Flavor, image: Image): Answer<readonly number[]> {
  if (!readBoolean(flavor.extraSpecs['hw:cpu_realtime'] ?? '')) return null
  const mask = image.realtimeMask || extraSpecOf(flavor, 'hw:cpu_realtime_mask')
  const cpus = mask === null ? [...Array(flavor.vcpus).keys()] : parseVcpuMask(mask, flavor.vcpus)
  if (cpus === null) return new ConstraintViolation('cpu-list-invalid', `real-time mask does not parse: ${mask}`)
  const invalid = (why: string) => new ConstraintViolation('realtime-mask-invalid', why)
  if (cpus.length === 0) return invalid('real-time mask is empty')
  const emulatorThreads = emulatorThreadsRule(flavor)
  if (emulatorThreads instanceof ConstraintViolation) return emulatorThreads
  const inside = cpus.filter((cpu) => cpu < flavor.vcpus).length
  if (inside === cpus.length && inside === flavor.vcpus && emulatorThreads === null) {
    return invalid('every vCPU is real-time and the emulator has no CPU: exclude one or set an emulator policy')
  }
  return inside === cpus.length ? cpus : invalid(`real-time mask goes beyond the ${flavor.vcpus} vCPUs of the flavor`)
}

/** vCPUs that `mixed` pins. At least one must be pinned and at least one must not, else it is another policy. */
export function dedicatedMaskRule(flavor: Flavor): Answer<readonly number[]> {
  const mask = extraSpecOf(flavor, 'hw:cpu_dedicated_mask')
  if (mask === null) return null
  const cpus = parseVcpuMask(mask, flavor.vcpus)
  if (cpus === null) return new ConstraintViolation('cpu-list-invalid', `hw:cpu_dedicated_mask does not parse: ${mask}`)
  const inside = cpus.filter((cpu) => cpu < flavor.vcpus).length
  if (cpus.length === 0 || inside === flavor.vcpus || inside !== cpus.length) {
    return new ConstraintViolation(
      'dedicated-mask-invalid',
      `hw:cpu_dedicated_mask ${mask} must leave some of the vCPUs, not all`,
    )
  }
  return cpus
}

export function numaNodesRule(flavor: Flavor, image: Image): Answer<number> {
  const text = extraSpecOf(flavor, 'hw:numa_nodes')
  if (text !== null && image.numaNodes)
    return new ConstraintViolation('numa-forbidden', 'both flavor and image set NUMA nodes')
  if (text === null && image.numaNodes === null) return null
  // Nova accepts only the plain spelling: no blanks, no leading zero.
  const nodes = text === null ? image.numaNodes : /^-?(0|[1-9]\d*)$/.test(text) ? Number(text) : null
  if (nodes === null || nodes < 1) return new ConstraintViolation('numa-nodes-invalid', `NUMA nodes: ${text ?? nodes}`)
  return nodes
}

/** `large` and `any` let the image choose; every other flavor value is final; without a flavor value it may not. */
export function pageSizeRule(flavor: Flavor, image: Image): Answer<number> {
  const text = extraSpecOf(flavor, 'hw:mem_page_size')
  const requested = image.pageSize || null
  const forbidden = () =>
    new ConstraintViolation('page-size-forbidden', `image requests pages of ${requested}, flavor has ${text}`)
  if (text === null) return requested === null ? null : forbidden()
  const size = parsePageSize(text)
  if (size === null) return new ConstraintViolation('page-size-invalid', `hw:mem_page_size is ${text}`)
  if (requested === null) return size
  if (size !== PAGE_ANY && size !== PAGE_LARGE) return forbidden()
  return parsePageSize(requested) ?? new ConstraintViolation('page-size-invalid', `hw_mem_page_size is ${requested}`)
}

/** Locked memory cannot be reclaimed by the host, so its size must be given in pages. */
export function lockedMemoryRule(flavor: Flavor, image: Image): Answer<boolean> {
  const text = flavor.extraSpecs['hw:locked_memory']
  const requested = text === undefined ? null : readBoolean(text)
  if (requested !== null && image.lockedMemory !== null && requested !== image.lockedMemory) {
    return new ConstraintViolation('locked-memory-conflict', `flavor has ${requested}, image has ${image.lockedMemory}`)
  }
  const locked = requested ?? image.lockedMemory
  if (locked && extraSpecOf(flavor, 'hw:mem_page_size') === null && !image.pageSize) {
    return new ConstraintViolation('locked-memory-without-pages', 'locked memory needs hw:mem_page_size')
  }
  return locked
}

/** Labels of persistent memory namespaces, one per device, in the flavor's order. */
export function pmemLabels(flavor: Flavor): readonly string[] {
  const labels = (flavor.extraSpecs['hw:pmem'] ?? '').split(',')
  return labels.map((label) => label.trim()).filter((label) => label !== '')
}

/** Amount of one class requested by `resources:CLASS` and `resourcesN:CLASS` together. Other spellings are ignored. */
export function requestedAmountOf(flavor: Flavor, resourceClass: string): number {
  const key = new RegExp(`^resources([1-9][0-9]*)?:${resourceClass}$`)
  let sum = 0
  for (const [name, value] of Object.entries(flavor.extraSpecs)) if (key.test(name)) sum += readInteger(value) ?? 0
  return sum
}

/** The thread policy that a HW_CPU_HYPERTHREADING trait stands for, or null. */
export function hyperthreadingTrait(flavor: Flavor, image: Image): string | null {
  for (const [name, value] of Object.entries(flavor.extraSpecs)) {
    if (/^trait([1-9][0-9]*)?:HW_CPU_HYPERTHREADING$/.test(name)) return value || null
  }
  return image.hyperthreadingRequired ? 'required' : null
}

/** NUMA affinity policy for the flavor's PCI aliases. Not part of the topology; the demand passes it to its requests. */
export function pciNumaPolicyRule(flavor: Flavor, image: Image): Answer<PciNumaPolicy> {
  const text = extraSpecOf(flavor, 'hw:pci_numa_affinity_policy')
  if (text === null) return image.pciNumaPolicy
  if (image.pciNumaPolicy !== null && image.pciNumaPolicy !== text) {
    return new ConstraintViolation('pci-numa-policy-conflict', `flavor has ${text}, image has ${image.pciNumaPolicy}`)
  }
  const policy = PCI_NUMA_POLICIES.find((known) => known === text)
  return policy ?? new ConstraintViolation('pci-numa-policy-invalid', `hw:pci_numa_affinity_policy is ${text}`)
}
