import type { PciAlias } from '../../demand'
import { badInput, constraintRefusal, type SpecRefusals } from '../../extra-specs'
import { ConstraintViolation, readImage } from '../constraint/flavor-image'
import { pciNumaPolicyRule } from '../constraint/rules'
import { readInteger } from '../cpu/cpu-list'
import type { PciNumaPolicy, PciRequest } from '../guest-topology'
import type { DeviceQuestion } from './slots'

// The requests of a flavor's PCI aliases. Source: Nova `pci/request.py`.

/** The requests of the flavor's aliases, then those of the ports. */
export function pciRequestsOf({ portRequests, ...question }: DeviceQuestion): readonly PciRequest[] {
  return [...aliasRequests(question), ...portRequests]
}

type AliasQuestion = Pick<DeviceQuestion, 'flavor' | 'image' | 'aliases' | 'wrong'>

function aliasRequests({ flavor, image, aliases, wrong }: AliasQuestion): readonly PciRequest[] {
  const read = readImage(image.properties)
  // The topology already refuses an invalid image.
  const policy = read instanceof ConstraintViolation ? null : pciNumaPolicyRule(flavor, read)
  if (!(policy instanceof ConstraintViolation))
    return requestsOf(flavor.extraSpecs[ALIAS_KEY] ?? '', { policy, aliases, wrong })
  wrong.push(constraintRefusal(policy.error))
  return []
}

interface AliasTable {
  readonly policy: PciNumaPolicy | null
  readonly aliases: readonly PciAlias[]
  readonly wrong: SpecRefusals
}

const ALIAS_KEY = 'pci_passthrough:alias'

/** `a1:2,a2:1`: the flavor's policy takes precedence over the alias's. Source: Nova `pci.request`. */
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
      return [{ kind: 'pci', requestId: `flavor:${name}:${index}`, alias: name, count, spec: alias.spec, numaPolicy }]
    }
    return []
  })
}
