import type { ApiInputs, FieldOf } from '@/server/api/router'
import type { ListKey } from '../console/list/list'
import { operationWords, stepLooks } from '../step/words'
import { migrationWords, outcomeLooks, waitingLooks, wishWords } from './words'

const label = migrationWords.filters

/** What moves can be filtered by. */
export const migrationKeys: readonly ListKey<FieldOf<ApiInputs['migration']['list']>>[] = [
  { id: 'instance', label: label.instance, also: ['name'] },
  {
    id: 'state',
    label: label.state,
    values: ['flight', 'queued', 'waiting', 'overdue', 'not-converging', ...Object.keys(outcomeLooks)],
  },
  { id: 'operation', label: label.operation, values: Object.keys(operationWords) },
  { id: 'host', label: label.host },
  { id: 'from', label: label.from },
  { id: 'to', label: label.to },
  { id: 'step', label: label.step, values: Object.keys(stepLooks) },
  { id: 'waiting', label: label.waiting, values: Object.keys(waitingLooks) },
  { id: 'wish', label: label.wish, values: Object.keys(wishWords) },
  { id: 'outcome', label: label.outcome, values: Object.keys(outcomeLooks) },
]
