import { guestTopologyOf } from '../engine/topology/constraint/constraints'
import type { ConstraintErrorKind } from '../engine/topology/constraint/flavor-image'
import { parseCpuList } from '../engine/topology/cpu/cpu-list'
import type { GuestTopology } from '../engine/topology/guest-topology'
import type { VectorCase, VectorGuest, Verdict } from './vector-file'

// constraints.json and cpu_list.json: flavor + image to guest topology, and CPU lists.

const NOVA_CLASS: { readonly [K in ConstraintErrorKind]: string } = {
  'not-a-value': 'ValueError',
  'cpu-list-invalid': 'Invalid',
  'cpu-policy-invalid': 'InvalidCPUAllocationPolicy',
  'cpu-policy-forbidden': 'ImageCPUPinningForbidden',
  'thread-policy-invalid': 'InvalidCPUThreadAllocationPolicy',
  'thread-policy-forbidden': 'ImageCPUThreadPolicyForbidden',
  'thread-policy-without-dedicated': 'CPUThreadPolicyConfigurationInvalid',
  'emulator-threads-invalid': 'InvalidEmulatorThreadsPolicy',
  'emulator-threads-without-dedicated': 'BadRequirementEmulatorThreadsPolicy',
  'dedicated-mask-invalid': 'InvalidMixedInstanceDedicatedMask',
  'dedicated-mask-without-mixed': 'RequiredMixedInstancePolicy',
  'mask-missing-or-doubled': 'RequiredMixedOrRealtimeCPUMask',
  'realtime-without-dedicated': 'RealtimeConfigurationInvalid',
  'realtime-mask-invalid': 'RealtimeMaskNotFoundOrInvalid',
  'resources-conflict': 'InvalidRequest',
  'numa-nodes-invalid': 'InvalidNUMANodesNumber',
  'numa-forbidden': 'ImageNUMATopologyForbidden',
  'numa-asymmetric': 'ImageNUMATopologyAsymmetric',
  'numa-incomplete': 'ImageNUMATopologyIncomplete',
  'numa-cpu-out-of-range': 'ImageNUMATopologyCPUOutOfRange',
  'numa-cpu-duplicate': 'ImageNUMATopologyCPUDuplicates',
  'numa-cpu-unassigned': 'ImageNUMATopologyCPUsUnassigned',
  'numa-memory-sum': 'ImageNUMATopologyMemoryOutOfRange',
  'page-size-invalid': 'MemoryPageSizeInvalid',
  'page-size-forbidden': 'MemoryPageSizeForbidden',
  'locked-memory-conflict': 'FlavorImageLockedMemoryConflict',
  'locked-memory-without-pages': 'LockMemoryForbidden',
  'pci-numa-policy-conflict': 'ImagePCINUMAPolicyForbidden',
  'pci-numa-policy-invalid': 'InvalidPCINUMAAffinity',
}

interface ConstraintCase extends VectorCase {
  readonly flavor: {
    readonly vcpus: number
    readonly memoryMib: number
    readonly extraSpecs: Readonly<Record<string, string>>
  }
  readonly image: Readonly<Record<string, string>>
  readonly expected:
    | { readonly outcome: 'none' }
    | { readonly outcome: 'topology'; readonly topology: VectorGuest }
    | { readonly outcome: 'error'; readonly error: string; readonly stage: string }
}

export function replayConstraints(vector: VectorCase): Verdict {
  const { flavor, image, expected } = vector as ConstraintCase
  const result = guestTopologyOf(flavor, image)
  const wanted =
    expected.outcome === 'error'
      ? `error ${expected.error} (${expected.stage})`
      : expected.outcome === 'none'
        ? 'none'
        : guestText(expected.topology)
  const got = !result.ok
    ? `error ${NOVA_CLASS[result.error.kind]} (${result.error.stage})`
    : result.topology === null
      ? 'none'
      : guestText(asVector(result.topology))
  return got === wanted ? null : `expected ${wanted}, got ${got}`
}

function asVector({ emulatorThreads, cells }: GuestTopology): VectorGuest {
  return {
    emulatorThreadsPolicy: emulatorThreads,
    cells: cells.map((cell) => ({
      id: cell.id,
      cpuset: cell.sharedVcpus,
      pcpuset: cell.dedicatedVcpus,
      memoryMib: cell.memoryMib,
      pageSizeKib: cell.pageKib,
      cpuPolicy: cell.cpuPolicy,
      cpuThreadPolicy: cell.threadPolicy,
    })),
  }
}

/** One text per topology, the same for equal ones: sets are sorted, keys in a fixed order. */
function guestText({ emulatorThreadsPolicy, cells }: VectorGuest): string {
  const set = (cpus: readonly number[]) => `{${cpus.toSorted((a, b) => a - b).join(' ')}}`
  const texts = cells.map((cell) =>
    [
      `cell ${cell.id}`,
      `shared ${set(cell.cpuset)}`,
      `dedicated ${set(cell.pcpuset)}`,
      `${cell.memoryMib} MiB in ${cell.pageSizeKib}`,
      `${cell.cpuPolicy}/${cell.cpuThreadPolicy}`,
    ].join(' '),
  )
  return [`emulator ${emulatorThreadsPolicy}`, ...texts].join('; ')
}

interface CpuListCase extends VectorCase {
  readonly spec: string
  readonly expected: { readonly outcome: 'cpus' | 'error'; readonly cpus?: readonly number[] }
}

export function replayCpuList(vector: VectorCase): Verdict {
  const { spec, expected } = vector as CpuListCase
  const got = String(parseCpuList(spec))
  const wanted = expected.outcome === 'error' ? 'null' : String(expected.cpus)
  return got === wanted ? null : `${JSON.stringify(spec)}: expected ${wanted}, got ${got}`
}
