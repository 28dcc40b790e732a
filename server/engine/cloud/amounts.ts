import { demandOf } from '../demand'
import { resourcesOf } from '../extra-specs'
import { memoize } from '../memoize'
import { DISK_GB, MEMORY_MB, PCPU, VCPU, VGPU } from '../words/units'
import type { Amounts, CloudFlavor, CloudServer } from './snapshot'

// What Nova requests from Placement for a flavor, and whether an allocation agrees with it.

/** Keys that determine amounts; the rest is ignored, so that an alias or trait unknown to Berth hides nothing. */
const COUNTED = /^(resources[0-9]*:|hw:cpu_(policy|dedicated_mask|thread_policy)$|hw:emulator_threads_policy$)/
export const ALWAYS_COMPARED: readonly string[] = [VCPU, PCPU, MEMORY_MB, DISK_GB]

/**
 * Huge pages do not count: they are part of MEMORY_MB. Null: the flavor is not readable or contradicts itself. An image
 * may require dedicated CPUs too, which no list of instances reports; `agrees` allows for that.
 */
export function flavorAmounts(flavor: CloudFlavor, volumeBacked: boolean): Amounts | null {
  if (flavor.extraSpecs === undefined) return null
  const { name, vcpus, memoryMib } = flavor
  const diskGib = (volumeBacked ? 0 : flavor.rootGib) + flavor.ephemeralGib + Math.ceil(flavor.swapMib / 1024)
  const extraSpecs = Object.fromEntries(Object.entries(flavor.extraSpecs).filter(([key]) => COUNTED.test(key)))
  const counted = { name, vcpus, memoryMib, diskGib, extraSpecs }
  const answer = demandOf(counted, { name: '', properties: {} })
  if (!answer.ok) return null
  // A demand keeps devices in a separate list; Placement counts them.
  const vgpus = resourcesOf(counted, []).get(VGPU) ?? 0
  return vgpus > 0 ? { ...answer.demand.amounts, [VGPU]: vgpus } : answer.demand.amounts
}

// Thousands of instances share a flavor, and the mirror gives them the same object.
const amountsOnDisk = memoize((flavor: CloudFlavor) => flavorAmounts(flavor, false))
const amountsOnVolume = memoize((flavor: CloudFlavor) => flavorAmounts(flavor, true))

export const amountsOf = ({ flavor, volumeBacked }: Pick<CloudServer, 'flavor' | 'volumeBacked'>): Amounts | null =>
  volumeBacked ? amountsOnVolume(flavor) : amountsOnDisk(flavor)

export const sumOf = (parts: Iterable<Amounts>): Amounts => {
  const sum = new Map<string, number>()
  for (const part of parts) {
    for (const [name, amount] of Object.entries(part)) sum.set(name, (sum.get(name) ?? 0) + amount)
  }
  return Object.fromEntries(sum)
}

/**
 * Whether an instance may hold exactly this. Ports, PCI devices in Placement and accelerators add classes of their own,
 * which are not checked. All CPUs may be PCPU if the flavor leaves it to the image, and VCPU if the cloud falls back.
 */
export function agrees(held: Amounts, flavor: CloudFlavor, wanted: Amounts): boolean {
  const judged = [...ALWAYS_COMPARED, ...Object.keys(wanted)].filter((name) => name !== VCPU && name !== PCPU)
  if (judged.some((name) => (held[name] ?? 0) !== (wanted[name] ?? 0))) return false
  const cpus = { VCPU: held[VCPU] ?? 0, PCPU: held[PCPU] ?? 0 }
  if (cpus.VCPU === (wanted[VCPU] ?? 0) && cpus.PCPU === (wanted[PCPU] ?? 0)) return true
  const asked = flavor.extraSpecs ?? {}
  if (Object.keys(asked).some((key) => /^resources[0-9]*:[VP]CPU$/.test(key))) return false
  if (asked['hw:cpu_policy'] === undefined) return cpus.VCPU === 0 && isOf(cpus.PCPU, flavor)
  return asked['hw:cpu_policy'] === 'dedicated' && cpus.PCPU === 0 && isOf(cpus.VCPU, flavor)
}

/** One more where the emulator threads are isolated. */
const isOf = (cpus: number, { vcpus }: CloudFlavor): boolean => cpus === vcpus || cpus === vcpus + 1

export const amountsText = (amounts: Amounts): string =>
  Object.entries(amounts)
    .map(([name, amount]) => `${amount} ${name}`)
    .sort()
    .join(', ') || 'nothing'
