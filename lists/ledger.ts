import { MAIN_CLASSES } from './classes'
import type { DatabaseList, FieldOf, SortOf } from './list'

export const LEDGER_LIST = {
  columns: {
    consumer: { head: 'Consumer', sort: true },
    provider: { head: 'Provider', sort: true },
    amounts: { head: 'Amounts' },
    units: { head: 'CPUs and devices' },
    marks: { head: 'Findings' },
    since: { head: 'Since', sort: true },
    wrote: { head: 'Written by' },
    host: { head: 'Host', sort: true },
    migration: { head: 'Migration' },
    consumerGeneration: { head: 'Consumer gen.' },
    providerGeneration: { head: 'Provider gen.' },
    request: { head: 'Request' },
    project: { head: 'Project', sort: true },
  },
  filters: {
    consumer: { hint: 'consumer; web-* for many', aliases: ['instance'] },
    provider: { hint: 'resource provider' },
    host: { hint: 'host of the provider' },
    class: { hint: 'resource class', known: MAIN_CLASSES },
    kind: { hint: 'instance, migration or other consumer', values: ['instance', 'migration', 'other'] },
    marks: { hint: 'finding of the audit; * for any' },
    wrote: { hint: 'who wrote it' },
    request: { hint: 'id of the request that wrote it' },
    project: { hint: 'project of the consumer' },
  },
} as const satisfies DatabaseList

export type LedgerSort = SortOf<typeof LEDGER_LIST>
export type LedgerField = FieldOf<typeof LEDGER_LIST>
