import type { DatabaseList, FieldOf, SortOf } from './list'

export const FINDING_LIST = {
  columns: {
    severity: { head: 'Severity', sort: true },
    kind: { head: 'Finding', sort: true },
    host: { head: 'Host', sort: true },
    instance: { head: 'Instance', sort: true },
    migration: { head: 'Migration' },
    where: { head: 'Where' },
    expected: { head: 'Expected' },
    found: { head: 'Found' },
    held: { head: 'A repair releases', short: 'Releases' },
    first: { head: 'Since', sort: true },
    last: { head: 'Last seen' },
    confidence: { head: 'Confidence' },
    heal: { head: 'Repair' },
  },
  filters: {
    kind: { hint: 'kind of finding' },
    severity: { hint: 'critical, warning or info' },
    host: { hint: 'name of the host; h-0* for many' },
    instance: { hint: 'name of the instance' },
    migration: { hint: 'whether it concerns a migration', values: ['yes', 'no'] },
    where: { hint: 'CPU or device, such as cpu:12' },
    confidence: { hint: 'how certain it is' },
    state: { hint: 'open; closed findings only on request', values: ['open', 'closed'] },
  },
} as const satisfies DatabaseList

export type FindingSort = SortOf<typeof FINDING_LIST>
export type FindingField = FieldOf<typeof FINDING_LIST>
