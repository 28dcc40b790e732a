import type { LayoutRow } from '@/server/api/layout/view'
import type { WholeList } from '../console/list/list'
import { layoutLooks, layoutWords } from './words'

const label = layoutWords.filters

/** What hosts can be filtered and sorted by on the board of their layouts. */
export const layoutList: WholeList<LayoutRow> = {
  keys: [
    { id: 'host', label: label.host, also: ['name'] },
    { id: 'state', label: label.state, values: Object.keys(layoutLooks) },
    { id: 'zone', label: label.zone },
    { id: 'blocked', label: label.blocked },
    { id: 'wave', label: label.wave },
    { id: 'by', label: label.by },
  ],
  fields: {
    host: (row) => [row.host.name],
    state: (row) => [row.state],
    zone: (row) => [row.zone],
    blocked: (row) => [row.blockedBy],
    wave: (row) => [row.wave, row.wave?.slice(0, 8)],
    by: (row) => [row.by],
    text: (row) => [row.host.name, row.host.id, row.blockedBy],
  },
  sortColumns: ['host', 'state', 'why', 'zone', 'consumers', 'version', 'by', 'at', 'wave'],
}
