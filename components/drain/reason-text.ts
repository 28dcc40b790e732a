import type { PlannedMigration } from '@/server/api/run/view'
import type { RefusalCounts } from '@/server/engine/drain/plan'
import { refusalTitles } from '../refusal/words'
import { uiWords } from '../ui/words'
import { drainWords } from './words'

const words = drainWords.refusing
/** The other rules refuse on a few hosts only. */
const MAX_RULES = 4

const rulesText = ({ rules }: RefusalCounts): string =>
  uiWords.list(rules.slice(0, MAX_RULES).map(({ rule, hosts }) => words.rule(refusalTitles[rule], hosts)))

/** Why an instance moves this way or stays: all hosts' reasons first, then that of the nearest or chosen host. */
export function reasonText({
  why,
  to,
  refusing,
  state,
}: Pick<PlannedMigration, 'why' | 'to' | 'refusing' | 'state'>): string {
  if (refusing === null || refusing.rules.length === 0 || state === 'failed' || state === 'skipped') return why
  const all = to === null ? words.none(refusing.of, rulesText(refusing)) : words.cold(refusing.of, rulesText(refusing))
  return `${all} ${why}`.trim()
}
