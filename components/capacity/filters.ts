import type { FlavorRoom } from '@/server/api/capacity/router'
import type { WholeList } from '../console/list/list'
import { capacityWords } from './words'

const label = capacityWords.filters

/** What flavors can be filtered and sorted by; each zone is a column of its own. */
export const flavorList = (flavors: readonly FlavorRoom[]): WholeList<FlavorRoom> => ({
  keys: [
    { id: 'flavor', label: label.flavor, known: flavors.map(({ flavor }) => flavor) },
    { id: 'fits', label: label.fits, values: ['yes', 'no'] },
  ],
  fields: {
    flavor: (row) => [row.flavor],
    fits: (row) => [row.more > 0 ? 'yes' : 'no'],
    text: (row) => [row.flavor],
  },
  sortColumns: [
    ...['flavor', 'vcpus', 'memory', 'more'],
    ...new Set(flavors.flatMap(({ zones }) => zones.map(({ zone }) => `zone ${zone ?? ''}`))),
  ],
})
