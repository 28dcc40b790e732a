import type { ApiInputs, FieldOf } from '@/server/api/router'
import type { ListKey } from '../console/list/list'
import { confidenceWords, findingWords, kindWords, severityLooks } from './words'

const label = findingWords.filters

/** What findings can be filtered by. */
export const findingKeys: readonly ListKey<FieldOf<ApiInputs['finding']['list']>>[] = [
  { id: 'kind', label: label.kind, values: Object.keys(kindWords) },
  { id: 'severity', label: label.severity, values: Object.keys(severityLooks) },
  { id: 'host', label: label.host },
  { id: 'instance', label: label.instance },
  { id: 'move', label: label.move, values: ['yes', 'no'] },
  { id: 'where', label: label.where },
  { id: 'confidence', label: label.confidence, values: Object.keys(confidenceWords) },
  { id: 'state', label: label.state, values: ['open', 'closed'] },
]
