import { type Instance, VM_STATES } from '../../engine/change'
import { POWER_STATES } from '../../engine/power/state'
import type { Unreadable } from '../../engine/words/unreadable'
import { flavor, image, integer, text, words } from './columns'
import { column, noted, rowDecoder } from './row'

export const NO_FLAVOR = { name: 'unreadable', vcpus: 0, memoryMib: 0, diskGib: 0, extraSpecs: {} }
export const NO_IMAGE = { name: 'unreadable', properties: {} }

const INSTANCE = rowDecoder<Instance>('instance', {
  name: column('name', text, 'unreadable'),
  project: column('project', text, ''),
  flavor: column('flavor', flavor, NO_FLAVOR),
  image: column('image', image, NO_IMAGE),
  vmState: column('vm_state', words(VM_STATES), 'error'),
  generation: column('generation', integer, 0),
})

/** The next survey of its host rewrites the row. */
const POWER = rowDecoder<NonNullable<Instance['power']>>('guest_power', {
  state: column('state', words(POWER_STATES), 'unknown'),
  last: column('state', words(POWER_STATES).nullable(), null),
})

/** An instance from INSTANCE_JSON, with stand-ins for unreadable values. */
export function instanceOf(raw: Instance): Instance {
  const notes: Unreadable[] = []
  const note = (unreadable: Unreadable) => void notes.push(unreadable)
  const instance = INSTANCE.decode(raw, () => `id=${raw.id}`, note)
  const seen = raw.power
  const power = seen && POWER.decode(seen, () => `host_id=${seen.host}, instance_id=${raw.id}`, note)
  return noted(power === seen ? instance : { ...instance, power }, notes)
}
