import type { FlavorFits } from '@/server/api/capacity/router'
import type { WholeList } from '../console/list/list'
import { capacityWords } from './words'

const label = capacityWords.filters

/** Filter keys and sort columns of flavors; each zone is its own column. */
export const flavorList = (flavors: readonly FlavorFits[]): WholeList<FlavorFits> => ({
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
    ...['flavor', 'vcpus', 'memory', 'more', 'unanswered'],
    ...new Set(flavors.flatMap(({ zones }) => zones.map(({ zone }) => `zone ${zone ?? ''}`))),
  ],
})
