import type { Flavor } from '../../../engine/demand'
import type { ClaimBody } from '../../../engine/host'
import { changeChild, childNamed, element, replaceChildren, withAttributes, withText } from './edit'
import { type EditedDomain, placeDomain } from './placement'
import type { XmlElement } from './tree'

// A domain in the shape of a flavor: for a new instance and for a resize, where the guest may see a change.

export interface DomainShape {
  readonly uuid: string
  readonly name: string
  readonly flavor: Flavor
  readonly claim: ClaimBody
}

export function shapeDomain(domain: XmlElement, { uuid, name, flavor, claim }: DomainShape): EditedDomain {
  const sized = [
    element('name', {}, name),
    element('uuid', {}, uuid),
    element('memory', { unit: 'MiB' }, `${flavor.memoryMib}`),
    element('currentMemory', { unit: 'MiB' }, `${flavor.memoryMib}`),
  ].reduce((shaped, child) => replaceChildren(shaped, [child.name], [child]), domain)
  const counted = changeChild(sized, 'vcpu', (vcpu) =>
    withText(withAttributes(vcpu, { current: undefined }), `${flavor.vcpus}`),
  )
  // Elements per vCPU or node of the old shape may name some that the new shape lacks.
  const bare = replaceChildren(counted, ['vcpus'], [])
  return placeDomain(
    changeChild(bare, 'cpu', (cpu) => shapeCpu(cpu, flavor, claim)),
    claim,
  )
}

function shapeCpu(cpu: XmlElement, { vcpus }: Flavor, { cells }: ClaimBody): XmlElement {
  const nodes = cells.map((node) => {
    const own = [...node.pins.map(([vcpu]) => vcpu), ...node.sharedVcpus].sort((a, b) => a - b)
    return element('cell', { id: node.guestCell, cpus: own.join(','), memory: node.memoryMib, unit: 'MiB' })
  })
  const topology = childNamed(cpu, 'topology')
  const counts = ['sockets', 'dies', 'cores', 'threads'].map((name) => Number(topology?.attributes.get(name) ?? 1))
  const fits = counts.reduce((product, count) => product * count, 1) === vcpus
  const matched = topology && !fits ? replaceChildren(cpu, ['topology'], []) : cpu
  return replaceChildren(matched, ['numa'], nodes.length === 0 ? [] : [element('numa', {}, ...nodes)])
}
