import type { ApiInputs, FieldOf } from '@/server/api/router'
import type { ListKey } from '../console/list/list'
import { powerLooks, powerWords } from '../power/words'
import { instanceWords, vmStateLooks } from './words'

const label = instanceWords.filters
const STATES = Object.keys(vmStateLooks)
const POWERS = Object.keys(powerLooks)
const YES_NO = ['yes', 'no'] as const

export interface KnownOfInstances {
  readonly zones: readonly string[] | undefined
  readonly flavors: readonly string[] | undefined
}

/** What instances can be filtered by. */
export function instanceKeys({
  zones,
  flavors,
}: KnownOfInstances): readonly ListKey<FieldOf<ApiInputs['instance']['list']>>[] {
  return [
    { id: 'name', label: label.name, also: ['instance'] },
    { id: 'state', label: label.state, values: STATES },
    { id: 'power', label: powerWords.filter, values: POWERS },
    { id: 'host', label: label.host },
    { id: 'zone', label: label.zone, known: zones },
    { id: 'flavor', label: label.flavor, known: flavors },
    { id: 'image', label: label.image },
    { id: 'project', label: label.project },
    { id: 'group', label: label.group },
    { id: 'moving', label: label.moving, values: YES_NO },
  ]
}
