import type { Role } from '@/server/api/permit/roles'
import type { DatabaseList, FieldOf } from './list'

const AUDIT_OUTCOMES = ['done', 'refused'] as const
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number]

export const AUDIT_LOG_LIST = {
  columns: {
    at: { head: 'Time', sort: true },
    action: { head: 'Action' },
    object: { head: 'Object' },
    who: { head: 'Who' },
    role: { head: 'Role' },
    outcome: { head: 'Outcome' },
    reason: { head: 'Reason' },
    address: { head: 'From' },
    credential: { head: 'Session or token' },
    request: { head: 'Request' },
    entry: { head: 'Entry' },
  },
  filters: {
    who: { hint: 'user, token or server' },
    action: { hint: 'action, such as host.status or user.*' },
    outcome: { hint: 'done or refused', values: AUDIT_OUTCOMES },
    instance: { hint: 'name of the instance; web-* for many' },
    host: { hint: 'name of the host' },
    role: { hint: 'role at that time', values: ['viewer', 'support', 'operator', 'admin'] satisfies Role[] },
    from: { hint: 'address of the client; 10.0.* for many', aliases: ['address'] },
    reason: { hint: 'reason given' },
    request: { hint: 'id of the request' },
    after: { hint: 'not before a time in UTC, such as 2026-11-25 or 2026-11-25T14:30' },
    before: { hint: 'before a time in UTC, such as 2026-11-26' },
  },
} as const satisfies DatabaseList

export type AuditLogField = FieldOf<typeof AUDIT_LOG_LIST>
