import type { RunRow } from '@/server/api/run/view'
import type { WholeList } from '../console/list/list'
import { drainWords, runBadges, runKindWords } from './words'

const label = drainWords.filters

/** Filter keys and sort columns of drains and evacuations. */
export const runList: WholeList<RunRow> = {
  keys: [
    { id: 'host', label: label.host },
    { id: 'kind', label: label.kind, values: Object.keys(runKindWords) },
    { id: 'state', label: label.state, values: Object.values(runBadges).map((badge) => badge.label) },
    { id: 'by', label: label.by },
    { id: 'reason', label: label.reason },
  ],
  fields: {
    host: (row) => [row.host.name],
    kind: (row) => [row.kind],
    state: (row) => [runBadges[row.state].label],
    by: (row) => [row.by],
    reason: (row) => [row.reason],
    text: (row) => [row.host.name, row.id, row.by, row.reason],
  },
  sortColumns: ['host', 'kind', 'state', 'progress', 'failed', 'left', 'by', 'at', 'ended', 'reason'],
}
