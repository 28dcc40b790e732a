import type { ApiInputs, FieldOf } from '@/server/api/router'
import type { ListKey } from '../console/list/list'
import { kindWords } from '../finding/words'
import { ledgerWords } from './words'

const label = ledgerWords.filters

/** What the rows of the ledger can be filtered by. */
export const ledgerKeys: readonly ListKey<FieldOf<ApiInputs['ledger']['list']>>[] = [
  { id: 'consumer', label: label.consumer, also: ['instance'] },
  { id: 'provider', label: label.provider },
  { id: 'host', label: label.host },
  { id: 'class', label: label.class, known: ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'] },
  { id: 'kind', label: label.kind, values: ['instance', 'migration', 'other'] },
  { id: 'marks', label: label.marks, values: ['no-claim', ...Object.keys(kindWords)] },
  { id: 'wrote', label: label.wrote },
  { id: 'request', label: label.request },
  { id: 'project', label: label.project },
]
