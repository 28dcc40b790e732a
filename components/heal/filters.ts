import type { HealPlanRow } from '@/server/api/heal/view'
import type { WholeList } from '../console/list/list'
import { healLooks, healWords } from './words'

const label = healWords.filters

/** What plans of heals can be filtered and sorted by. */
export const planList: WholeList<HealPlanRow> = {
  keys: [
    { id: 'state', label: label.state, values: Object.values(healLooks).map((look) => look.label) },
    { id: 'by', label: label.by },
    { id: 'undo', label: label.undo, values: ['yes', 'no'] },
    { id: 'reason', label: label.reason },
  ],
  fields: {
    state: (row) => [healLooks[row.state].label],
    by: (row) => [row.madeBy],
    undo: (row) => [row.undoOf === null ? 'no' : 'yes'],
    reason: (row) => [row.reason],
    text: (row) => [row.id, row.madeBy, row.reason],
  },
  sortColumns: ['plan', 'state', 'parts', 'applied', 'made', 'by', 'undoes', 'reason'],
}
