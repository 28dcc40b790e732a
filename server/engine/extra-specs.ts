import type { Flavor, Image } from './demand'
import type { ConstraintError } from './topology/constraint/flavor-image'
import { readInteger } from './topology/cpu/cpu-list'
import type { Refusal } from './words/refusal'

// The extra specs that are neither about the guest's topology nor about devices: resources and traits. Each reader
// appends problems to one list, so that the user sees every bad key at once.

export type SpecRefusals = Refusal[]

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

const RESOURCES_KEY = /^resources([1-9][0-9]*)?:(.+)$/
const CLASS_NAME = /^[A-Z0-9_]+$/

// Numbered groups are summed per class. Their traits would have to be on the same provider that gives the group, which
// nothing here guarantees, so `traitN:` is refused below.
export function resourcesOf(flavor: Flavor, wrong: SpecRefusals): Map<string, number> {
  const amounts = new Map<string, number>()
  for (const [key, text] of Object.entries(flavor.extraSpecs)) {
    const resourceClass = RESOURCES_KEY.exec(key)?.[2]
    if (resourceClass === undefined) continue
    const amount = readInteger(text)
    if (!CLASS_NAME.test(resourceClass)) wrong.push(badInput(key, 'a resource class in capitals', resourceClass))
    else if (amount === null || amount < 0) wrong.push(badInput(key, 'a whole number, not negative', text))
    else amounts.set(resourceClass, (amounts.get(resourceClass) ?? 0) + amount)
  }
  return amounts
}

export interface Traits {
  readonly required: readonly string[]
  readonly forbidden: readonly string[]
}

const TRAIT_KEY = /^trait([1-9][0-9]*)?:(.+)$/

export function traitsOf(flavor: Flavor, image: Image, wrong: SpecRefusals): Traits {
  const traits = { required: new Set<string>(), forbidden: new Set<string>() }
  for (const [key, value] of [...Object.entries(flavor.extraSpecs), ...Object.entries(image.properties)]) {
    const [, group, trait] = TRAIT_KEY.exec(key) ?? []
    if (trait === undefined) continue
    if (group !== undefined) wrong.push(badInput(key, 'a trait without a group number', key))
    else if (value === 'required' || value === 'forbidden') traits[value].add(trait)
    else wrong.push(badInput(key, 'required or forbidden', value))
  }
  for (const trait of traits.required) {
    if (traits.forbidden.has(trait)) wrong.push(badInput(`trait:${trait}`, 'one of the two', 'required and forbidden'))
  }
  return { required: [...traits.required].sort(), forbidden: [...traits.forbidden].sort() }
}
