import type { Flavor, Image, PciAlias, VgpuRequest } from './demand'
import { type ConstraintError, readImage, Wrong } from './topology/constraint/flavor-image'
import { pciNumaPolicyRule } from './topology/constraint/rules'
import { readInteger } from './topology/cpu/cpu-list'
import type { PciNumaPolicy, PciRequest } from './topology/guest'
import type { Refusal } from './words/refusal'
import { VGPU } from './words/units'

// The extra specs that are not about the guest's topology: resources, traits, PCI aliases. Each reader pushes what is
// wrong onto one list, so that a person sees every bad key at once.

export type Wrongs = Refusal[]

export const badInput = (what: string, need: string, have: string): Refusal => ({
  kind: 'bad-input',
  where: {},
  need: `${what}: ${need}`,
  have,
})

export const constraintRefusal = (error: ConstraintError): Refusal =>
  badInput(error.stage === 'image' ? 'image' : 'flavor', error.kind, error.message)

export function numbersWrong(flavor: Flavor): Refusal[] {
  const wrong: Refusal[] = []
  const check = (what: string, value: number, least: number) => {
    if (!Number.isSafeInteger(value) || value < least) {
      wrong.push(badInput(what, `a whole number, at least ${least}`, String(value)))
    }
  }
  check('vcpus', flavor.vcpus, 1)
  check('memoryMib', flavor.memoryMib, 1)
  check('diskGib', flavor.diskGib, 0)
  return wrong
}

export interface Resources {
  readonly amounts: ReadonlyMap<string, number>
  readonly vgpus: readonly VgpuRequest[]
}

const RESOURCES_KEY = /^resources([1-9][0-9]*)?:(.+)$/
const CLASS_NAME = /^[A-Z0-9_]+$/

// Numbered groups are summed per class. Their traits would have to lie on the very provider that gives the group, which
// nothing here promises, so `traitN:` is refused below rather than half obeyed.
export function resourcesOf(flavor: Flavor, vgpuClasses: readonly string[], wrong: Wrongs): Resources {
  const amounts = new Map<string, number>()
  for (const [key, text] of Object.entries(flavor.extraSpecs)) {
    const resourceClass = RESOURCES_KEY.exec(key)?.[2]
    if (resourceClass === undefined) continue
    const amount = readInteger(text)
    if (!CLASS_NAME.test(resourceClass)) wrong.push(badInput(key, 'a resource class in capitals', resourceClass))
    else if (amount === null || amount < 0) wrong.push(badInput(key, 'a whole number, not negative', text))
    else amounts.set(resourceClass, (amounts.get(resourceClass) ?? 0) + amount)
  }
  const vgpus: VgpuRequest[] = []
  for (const resourceClass of [VGPU, ...vgpuClasses]) {
    const count = amounts.get(resourceClass) ?? 0
    if (count > 0) {
      vgpus.push({ count, mdevType: null, ...(resourceClass === VGPU ? {} : { resourceClass }) })
    }
    amounts.delete(resourceClass)
  }
  return { amounts, vgpus }
}

export interface Traits {
  readonly required: readonly string[]
  readonly forbidden: readonly string[]
}

const TRAIT_KEY = /^trait([1-9][0-9]*)?:(.+)$/

export function traitsOf(flavor: Flavor, image: Image, wrong: Wrongs): Traits {
  const said = { required: new Set<string>(), forbidden: new Set<string>() }
  for (const [key, value] of [...Object.entries(flavor.extraSpecs), ...Object.entries(image.properties)]) {
    const [, group, trait] = TRAIT_KEY.exec(key) ?? []
    if (trait === undefined) continue
    if (group !== undefined) wrong.push(badInput(key, 'a trait without a group number', key))
    else if (value === 'required' || value === 'forbidden') said[value].add(trait)
    else wrong.push(badInput(key, 'required or forbidden', value))
  }
  for (const trait of said.required) {
    if (said.forbidden.has(trait)) wrong.push(badInput(`trait:${trait}`, 'one of the two', 'required and forbidden'))
  }
  return { required: [...said.required].sort(), forbidden: [...said.forbidden].sort() }
}

export interface DeviceQuestion {
  readonly flavor: Flavor
  readonly image: Image
  readonly aliases: readonly PciAlias[]
  readonly wrong: Wrongs
}

export function aliasRequests({ flavor, image, aliases, wrong }: DeviceQuestion): readonly PciRequest[] {
  const read = readImage(image.properties)
  // A spoiled image is already refused by the topology.
  const policy = read instanceof Wrong ? null : pciNumaPolicyRule(flavor, read)
  if (!(policy instanceof Wrong)) return requestsOf(flavor.extraSpecs[ALIAS_KEY] ?? '', { policy, aliases, wrong })
  wrong.push(constraintRefusal(policy.error))
  return []
}

interface AliasTable {
  readonly policy: PciNumaPolicy | null
  readonly aliases: readonly PciAlias[]
  readonly wrong: Wrongs
}

const ALIAS_KEY = 'pci_passthrough:alias'

/** `a1:2,a2:1`: the flavor's policy goes before the alias's own. Source: Nova `pci.request`. */
function requestsOf(text: string, { policy, aliases, wrong }: AliasTable): readonly PciRequest[] {
  if (text.trim() === '') return []
  return text.split(',').flatMap((part, index): PciRequest[] => {
    const [name = '', countText = '', ...rest] = part.split(':').map((each) => each.trim())
    const count = readInteger(countText)
    const alias = aliases.find((each) => each.name === name)
    if (rest.length > 0 || count === null || count < 1) {
      wrong.push(badInput(ALIAS_KEY, 'NAME:COUNT with a count of at least 1', part))
    } else if (alias === undefined) {
      wrong.push(badInput(ALIAS_KEY, 'a known PCI alias', name))
    } else {
      const numaPolicy = policy ?? alias.numaPolicy
      return [{ requestId: `flavor:${name}:${index}`, alias: name, count, spec: alias.spec, numaPolicy }]
    }
    return []
  })
}
