import { runInSlices } from '../../audit/event-loop'
import type { Demand, Flavor } from '../../engine/demand'
import { type Axis, freeOn, interruptibleLargest, type LargestAnswer } from '../../engine/explain/largest'
import { devicesCounted } from '../../engine/topology/device/devices'
import { MEMORY_MB, PCPU, VCPU } from '../../engine/words/units'
import { isSilent } from '../host/fleet-now'
import type { Ref } from '../names/names'
import { yieldUnlessAborted } from '../procedure/yield'
import type { ExplainRequest } from './question'

// The largest shape that fits: the requested shape, with more or less of one resource.

export type ShapeAxis = 'size' | 'vcpus' | 'memory' | 'devices'

/** The largest amount of one resource that fits on some host, with the rest of the shape as requested. */
export interface LargestView {
  readonly axis: ShapeAxis
  /** Null when not even the smallest amount fits anywhere, so that this amount is not the cause. */
  readonly shape: { readonly vcpus: number; readonly memoryMib: number; readonly devices: number } | null
  /** Null when it fits on no host, or when the caller may not see hosts. */
  readonly host: Ref | null
  /** False when the search ended before trying all larger ones: a larger one may fit as well. */
  readonly exact: boolean
}

/** Decision budget of one axis; all axes together stay well inside the page's second. */
const BUDGET = 400
const MEMORY_STEP_MIB = 1024
const DEVICES_MAX = 16

export async function largestOfShape(request: ExplainRequest, seesHosts: boolean): Promise<readonly LargestView[]> {
  const largest: LargestView[] = []
  for (const named of searchedAxes(request)) {
    await yieldUnlessAborted(request.signal)
    largest.push(await largestAlong(named, request, { seesHosts, budget: BUDGET }))
  }
  return largest
}

const searchedAxes = (request: ExplainRequest): readonly NamedAxis[] => (request.keepsClaim ? [] : axesOf(request))

export const axesFor = (request: ExplainRequest): readonly ShapeAxis[] => searchedAxes(request).map(({ id }) => id)

/** Beside a fleet view, requested by every screen that shows one: an approximate answer suffices, and says so. */
const GLANCE_BUDGET = 150

/** The largest shape of the same proportions. */
export async function largestSize(request: ExplainRequest, seesHosts: boolean): Promise<LargestView> {
  const size = axesOf(request).find(({ id }) => id === 'size')
  if (!size) return { axis: 'size', shape: null, host: null, exact: true }
  return await largestAlong(size, request, { seesHosts, budget: GLANCE_BUDGET })
}

interface Bounds {
  readonly seesHosts: boolean
  readonly budget: number
}

/** Hosts that do not answer are named only if no other host fits. */
async function largestAlong(
  { id, axis, flavorAt }: NamedAxis,
  request: ExplainRequest,
  { seesHosts, budget }: Bounds,
): Promise<LargestView> {
  const { question, hosts, spec } = request
  const answering = hosts.filter((host) => !isSilent(host, request.silentHosts))
  const among = (some: typeof hosts) =>
    runInSlices(interruptibleLargest(axis, { question, hosts: some, budget }), () => yieldUnlessAborted(request.signal))
  const onThem = await among(answering)
  const isAll = onThem.found !== null || answering.length === hosts.length
  const { found, exact }: LargestAnswer = isAll ? onThem : await among(hosts)
  if (!found) return { axis: id, shape: null, host: null, exact }
  const { vcpus, memoryMib } = flavorAt?.(found.size) ?? spec.flavor
  const host = seesHosts ? { id: found.host.id, name: found.host.name } : null
  return { axis: id, shape: { vcpus, memoryMib, devices: devicesCounted(found.demand.devices) }, host, exact }
}

interface NamedAxis {
  readonly id: ShapeAxis
  readonly axis: Axis
  /** Null when the axis is not about the flavor's own numbers. */
  readonly flavorAt: ((size: number) => Flavor) | null
}

function axesOf({ spec: { flavor }, hosts, question, demandOf }: ExplainRequest): readonly NamedAxis[] {
  const most = (resourceClass: string) => Math.max(0, ...hosts.map((host) => freeOn(host, resourceClass)))
  const cpuClass = question.demand.amounts[PCPU] ? PCPU : VCPU
  const [cpus, memory] = [most(cpuClass), most(MEMORY_MB)]
  const ofFlavor = (
    id: ShapeAxis,
    bounds: Pick<Axis, 'to' | 'step' | 'from'>,
    at: (size: number) => Flavor,
  ): NamedAxis => {
    const by = id === 'memory' ? MEMORY_MB : cpuClass
    return { id, axis: { ...bounds, by, demandAt: (size) => demandOf(at(size)) }, flavorAt: at }
  }
  const perCpu = flavor.memoryMib / flavor.vcpus
  const axes = [
    ofFlavor('size', { from: 1, to: cpus, step: 1 }, (vcpus) => {
      return { ...flavor, vcpus, memoryMib: Math.max(1, Math.round(vcpus * perCpu)) }
    }),
    ofFlavor('vcpus', { from: 1, to: cpus, step: 1 }, (vcpus) => ({ ...flavor, vcpus })),
    ofFlavor('memory', { from: MEMORY_STEP_MIB, to: memory, step: MEMORY_STEP_MIB }, (memoryMib) => {
      return { ...flavor, memoryMib }
    }),
  ]
  const devices = devicesAxis(question.demand, cpuClass)
  return devices ? [...axes, { id: 'devices', axis: devices, flavorAt: null }] : axes
}

/** Varies the count of the first requested device; the others stay as requested. */
function devicesAxis(demand: Demand, cpuClass: string): Axis | null {
  const [device, ...devices] = demand.devices
  if (!device) return null
  const demandAt = (count: number): Demand => ({ ...demand, devices: [{ ...device, count }, ...devices] })
  return { from: 1, to: DEVICES_MAX, step: 1, demandAt, by: cpuClass }
}
