import { OPERATIONS, OUTCOMES, REQUESTED_ACTIONS, STEPS, WAITING_FOR } from '@/server/engine/migration/state'
import type { DatabaseList, FieldOf, SortOf } from './list'

export const MIGRATION_LIST = {
  columns: {
    instance: { head: 'Instance', sort: true },
    operation: { head: 'Operation', sort: true },
    source: { head: 'From', sort: true },
    target: { head: 'To', sort: true },
    step: { head: 'Step', sort: true },
    waiting: { head: 'Waiting for' },
    progress: { head: 'Transfer' },
    started: { head: 'Started', sort: true },
    ended: { head: 'Ended', sort: true },
    took: { head: 'Took' },
    due: { head: 'Due', sort: true },
    requested: { head: 'Requested action' },
    twice: { head: 'Held on both hosts' },
    twiceFor: { head: 'Held for' },
    overdue: { head: 'Overdue' },
  },
  filters: {
    instance: { hint: 'name of the instance; web-* for many', aliases: ['name'] },
    state: {
      hint: 'state, such as waiting, overdue or not-converging',
      values: ['flight', 'queued', 'waiting', 'overdue', 'not-converging', ...OUTCOMES],
    },
    operation: { hint: 'operation, such as live-migrate', values: OPERATIONS },
    host: { hint: 'source or target host' },
    from: { hint: 'source host' },
    to: { hint: 'target host' },
    step: { hint: 'current step', values: STEPS },
    waiting: { hint: 'what it is waiting for', values: WAITING_FOR },
    requested: { hint: 'requested action', values: REQUESTED_ACTIONS },
    outcome: { hint: 'outcome', values: OUTCOMES },
  },
} as const satisfies DatabaseList

export type MigrationSort = SortOf<typeof MIGRATION_LIST>
export type MigrationField = FieldOf<typeof MIGRATION_LIST>
