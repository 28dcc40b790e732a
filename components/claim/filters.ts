import type { ClaimView } from '@/server/api/claim/view'
import type { WholeList } from '../console/list/list'
import { claimWords, markLooks } from './words'

const label = claimWords.filters

/** What the claims on a host can be filtered and sorted by. */
export const claimList: WholeList<ClaimView> = {
  keys: [
    { id: 'instance', label: label.instance, also: ['name'] },
    { id: 'side', label: label.side, values: Object.keys(markLooks) },
    { id: 'cell', label: label.cell },
    { id: 'device', label: label.device },
  ],
  fields: {
    instance: (claim) => [claim.instance.name],
    side: (claim) => [claim.mark],
    cell: (claim) => claim.cells.map((cell) => String(cell.hostCell)),
    device: (claim) => claim.units.flatMap(({ unit }) => [unit, unit.slice(unit.indexOf(':') + 1)]),
    text: (claim) => [claim.instance.name, claim.instance.id, claim.id, claim.holder.id],
  },
  sortColumns: ['instance', 'mark', 'holder', 'host', 'cpus', 'cells', 'memory', 'devices', 'since'],
}
