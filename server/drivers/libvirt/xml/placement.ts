import type { ClaimBody, ClaimedUnit } from '../../../engine/host'
import {
  attributeOf,
  changeChild,
  childNamed,
  childrenNamed,
  element,
  replaceChildren,
  textIn,
  withAttributes,
} from './edit'
import type { XmlElement } from './tree'

// Edits a domain's XML to match the claim on its host: pins, memory nodes, huge pages, assigned PCI functions.
// Everything that the guest sees stays as it is, because a live migration must not change it. Source: libvirt
// formatdomain.html, "CPU Tuning", "NUMA Node Tuning", "Memory Backing", "Host device assignment".

export type EditedDomain =
  | { readonly ok: true; readonly domain: XmlElement }
  | { readonly ok: false; readonly why: string }

export function placeDomain(domain: XmlElement, claim: ClaimBody): EditedDomain {
  const why = whyNotPlaced(domain, claim)
  if (why !== null) return { ok: false, why }
  const steps = [placeVcpus, placeMemory, placePages, placeDevices]
  return { ok: true, domain: steps.reduce((placed, step) => step(placed, claim), domain) }
}

const pinsOf = ({ cells }: ClaimBody) => cells.flatMap(({ pins }) => pins)

function whyNotPlaced(domain: XmlElement, claim: ClaimBody): string | null {
  if (domain.name !== 'domain') return `<${domain.name}> is not a domain`
  const vcpus = Number(textIn(childNamed(domain, 'vcpu')))
  const beyond = pinsOf(claim).find(([vcpu]) => !(vcpu < vcpus))
  if (beyond) return `the claim pins vCPU ${beyond[0]}, and the domain has ${vcpus}`
  const nodes = guestNodes(domain)
  if (nodes > 0 && claim.cells.length > 0 && nodes !== claim.cells.length)
    return `the claim has ${claim.cells.length} NUMA nodes, and the domain has ${nodes}`
  if (nodes === 0 && claim.cells.length > 1)
    return `the claim has ${claim.cells.length} NUMA nodes, and the domain defines none`
  const other = claim.units.find(({ kind }) => kind === 'vgpu' || kind === 'vpmem')
  return other ? `${other.unit} cannot be assigned to a libvirt domain yet` : null
}

const guestNodes = (domain: XmlElement) => childrenNamed(childNamed(childNamed(domain, 'cpu'), 'numa'), 'cell').length

/** Lists as libvirt prints them, `0,2-3` without the ranges. */
const list = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b).join(',')

/**
 * The emulator's threads run on the CPUs that are reserved for them, otherwise with the pinned vCPUs. Pins of I/O threads
 * name CPUs of the host that was left; without them they run where the emulator may.
 */
function placeVcpus(domain: XmlElement, claim: ClaimBody): XmlElement {
  const pins = [...pinsOf(claim)].sort(([a], [b]) => a - b)
  const reserved = claim.cells.flatMap(({ reservedCpus }) => reservedCpus)
  const emulator = list(reserved.length > 0 ? reserved : pins.map(([, cpu]) => cpu))
  const tuned = changeChild(domain, 'cputune', (tuning) =>
    replaceChildren(
      tuning,
      ['vcpupin', 'emulatorpin', 'iothreadpin'],
      [
        ...pins.map(([vcpu, cpu]) => element('vcpupin', { vcpu, cpuset: cpu })),
        ...(emulator === '' ? [] : [element('emulatorpin', { cpuset: emulator })]),
      ],
    ),
  )
  return changeChild(tuned, 'vcpu', (vcpu) => withAttributes(vcpu, { cpuset: undefined, placement: 'static' }))
}

function placeMemory(domain: XmlElement, { cells }: ClaimBody): XmlElement {
  const numatune = childNamed(domain, 'numatune')
  const mode = attributeOf(childNamed(numatune, 'memory'), 'mode') ?? 'strict'
  const nodeset = list(cells.map(({ hostCell }) => hostCell))
  const bound = cells.map(({ guestCell, hostCell }) =>
    element('memnode', { cellid: guestCell, mode: 'strict', nodeset: hostCell }),
  )
  return changeChild(domain, 'numatune', (tuning) =>
    replaceChildren(
      tuning,
      ['memory', 'memnode'],
      nodeset === '' ? [] : [element('memory', { mode, nodeset }), ...(guestNodes(domain) === 0 ? [] : bound)],
    ),
  )
}

/** Sizes of an ordinary page on the machines that libvirt runs on; every other size is a huge page. */
const ORDINARY_PAGES_KIB: ReadonlySet<number> = new Set([4, 16, 64])

function placePages(domain: XmlElement, { cells }: ClaimBody): XmlElement {
  if (cells.length === 0) return domain
  const huge = cells.flatMap(({ guestCell, pageKib }) =>
    pageKib === null || ORDINARY_PAGES_KIB.has(pageKib) ? [] : [{ guestCell, pageKib }],
  )
  const pages = [...new Set(huge.map(({ pageKib }) => pageKib))].map((size) => {
    const nodes = huge.filter(({ pageKib }) => pageKib === size).map(({ guestCell }) => guestCell)
    const nodeset = guestNodes(domain) === 0 ? undefined : list(nodes)
    return element('page', { size, unit: 'KiB', nodeset })
  })
  const hugepages = pages.length === 0 ? [] : [element('hugepages', {}, ...pages)]
  return changeChild(domain, 'memoryBacking', (backing) => replaceChildren(backing, ['hugepages'], hugepages))
}

const PCI_UNIT = /^pci:([0-9a-f]{4,8}):([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])$/i

const isAssigned = ({ kind, use }: ClaimedUnit) => kind === 'pci' && use === 'device'

/**
 * Assigned functions get the new addresses in their present order, so that the guest finds each where it was. Missing
 * functions are added, surplus ones removed.
 */
function placeDevices(domain: XmlElement, claim: ClaimBody): XmlElement {
  const left = claim.units.filter(isAssigned).flatMap(({ unit }) => {
    const [, bus, slot, fn, index] = PCI_UNIT.exec(unit) ?? []
    return bus === undefined
      ? []
      : [element('address', { domain: `0x${bus}`, bus: `0x${slot}`, slot: `0x${fn}`, function: `0x${index}` })]
  })
  return changeChild(domain, 'devices', (devices) => {
    const kept = devices.children.flatMap((node) => {
      if (node.kind !== 'element' || !isPassedThrough(node)) return [node]
      const address = left.shift()
      return address ? [changeChild(node, 'source', (source) => replaceChildren(source, ['address'], [address]))] : []
    })
    const added = left.map((address) =>
      element('hostdev', { mode: 'subsystem', type: 'pci', managed: 'yes' }, element('source', {}, address)),
    )
    return { ...devices, children: [...kept, ...added] }
  })
}

const isPassedThrough = (device: XmlElement) =>
  (device.name === 'hostdev' && attributeOf(device, 'type') === 'pci') ||
  (device.name === 'interface' && attributeOf(device, 'type') === 'hostdev')
