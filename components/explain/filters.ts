import type { WholeList } from '../console/list/list'
import { verdictLooks } from '../move/words'
import { refusalTitles } from '../refusal/words'
import type { WhyRow } from './nearest'
import { explainWords, fixText } from './words'

const label = explainWords.filters
const RULES = Object.keys(refusalTitles)

/** What hosts can be filtered and sorted by under a question; every rule is a column of its own. */
export const hostList: WholeList<WhyRow> = {
  keys: [
    { id: 'host', label: label.host },
    { id: 'verdict', label: label.verdict, values: Object.keys(verdictLooks) },
    { id: 'rule', label: label.rule, values: RULES },
    { id: 'zone', label: label.zone },
    { id: 'holder', label: label.holder },
  ],
  fields: {
    host: ({ host }) => [host.name],
    verdict: ({ verdict }) => [verdict],
    rule: ({ reasons }) => reasons.map(({ kind }) => kind),
    zone: ({ zone }) => [zone],
    holder: ({ reasons }) => reasons.flatMap(({ heldBy }) => heldBy.map(({ name }) => name)),
    text: (row) => [row.host.name, row.host.id, fixText(row.fix)],
  },
  sortColumns: ['host', 'verdict', 'changes', 'fix', 'zone', ...RULES],
}
