import type { AuditOutcome } from '@/lists/audit-log'
import type { BadgeContent } from '../ui/Badge'

export const auditLogWords = {
  title: 'Audit log',
  facts: 'Every write, sign-in and refusal, with who, from where and why. Entries are never changed.',
  filter: 'Who, action, object or id',
  empty: 'No entry yet',
  emptyMore: 'Writes, sign-ins and refusals are listed here as soon as there is one.',
  emptyFiltered: 'No entry matches',
  emptyFilteredMore: 'Clear the filter to see every entry.',
  instance: 'Instance',
  instanceId: 'Instance id',
  hosts: 'Hosts',
  moreHosts: (n: number) => `and ${n} more`,
  data: 'Details',
  open: (action: string) => `Details of ${action}`,
  one: 'Audit log entry',
  migration: 'Migration',
  noDetails: 'No further details',
  refresh: 'Refresh',
  sealed: (entries: string, hash: string) => `${entries}, newest seal ${hash}`,
  seals: (n: number) => (n === 1 ? '1 seal' : `${n} seals`),
  sealedTip:
    'Entries are sealed with SHA-256 every minute, each seal over the one before. `npm run audit-log -- verify` checks them all. Keep the newest hash elsewhere to prove that nothing was cut off.',
  noSeal: 'not sealed yet',
  who: { server: 'the server' },
} as const

export const outcomeBadges: Readonly<Record<AuditOutcome, BadgeContent>> = {
  done: { shape: 'tick', tone: 'ok', label: 'done' },
  refused: { shape: 'cross', tone: 'bad', label: 'refused' },
}
