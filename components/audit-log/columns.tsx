import { AUDIT_LOG_LIST } from '@/lists/audit-log'
import type { AuditLogEntry } from '@/server/api/audit-log/router'
import { actorText } from '../console/actors'
import { type Cells, columnsOf } from '../console/list/columns'
import { HostLink, InstanceLink } from '../console/refs'
import { kindText } from '../event/words'
import { dash } from '../ui/dash'
import type { Column } from '../ui/table/column'
import { RowOpener } from '../ui/table/RowOpener'
import { AbsoluteTime } from '../ui/time/zone'
import { uiWords } from '../ui/words'
import { outcomeBadges, auditLogWords as words } from './words'

/** For a refusal, the requested procedure: readers search for that. */
export const actionText = ({ action, procedure }: AuditLogEntry) => procedure ?? kindText(action)

const HOSTS_SHOWN = 2
const hostNames = ({ hosts }: AuditLogEntry) => uiWords.list(hosts.map(({ name }) => name))
const hasObject = ({ instance, hosts, subject }: AuditLogEntry) => instance || hosts.length > 0 || subject
const mono = (text: string | null) => (text === null ? dash : <span className="font-mono text-xs">{text}</span>)

const cellsOf = (open: (entry: AuditLogEntry) => void): Cells<AuditLogEntry, typeof AUDIT_LOG_LIST> => ({
  at: {
    fixed: true,
    width: 165,
    value: (row) => row.at,
    timestamp: true,
    absolute: true,
    cell: (row) => (
      <RowOpener label={words.open(actionText(row))} onOpen={() => open(row)}>
        <AbsoluteTime at={row.at} className="font-mono text-xs" />
      </RowOpener>
    ),
  },
  action: {
    minWidth: 170,
    value: actionText,
    exported: ({ action, procedure }) => (procedure ? `${action} ${procedure}` : action),
  },
  object: {
    minWidth: 150,
    secondLine: 'value',
    parts: [
      { id: 'instance', head: words.instance, value: (row) => row.instance?.name ?? null },
      { id: 'instanceId', head: words.instanceId, value: (row) => row.instance?.id ?? null },
      { id: 'hosts', head: words.hosts, value: hostNames },
      { id: 'subject', head: AUDIT_LOG_LIST.columns.object.head, value: (row) => row.subject },
      { id: 'data', head: words.data, value: (row) => JSON.stringify(row.data) },
    ],
    cell: (row) => (hasObject(row) ? <EntryObject entry={row} /> : dash),
  },
  who: { width: 110, secondLine: 'value', value: (row) => actorText(row.who) },
  role: { width: 80, value: (row) => row.role },
  outcome: {
    width: 90,
    secondLine: 'value',
    badge: (row) => outcomeBadges[row.outcome],
  },
  reason: { minWidth: 140, secondLine: 'value', value: (row) => row.reason },
  address: { width: 120, value: (row) => row.address, cell: (row) => mono(row.address) },
  credential: { width: 160, hidden: true, value: (row) => row.credential, cell: (row) => mono(row.credential) },
  request: { width: 150, hidden: true, value: (row) => row.request, cell: (row) => mono(row.request) },
  entry: { width: 80, hidden: true, value: (row) => row.id, cell: (row) => mono(row.id) },
})

export function EntryObject({ entry: { instance, hosts, subject } }: { entry: AuditLogEntry }) {
  if (!instance && hosts.length === 0) return subject ?? dash
  const rest = hosts.length - HOSTS_SHOWN
  return (
    <span className="space-x-2">
      {instance ? <InstanceLink instance={instance} /> : null}
      {hosts.slice(0, HOSTS_SHOWN).map((host) => (
        <HostLink key={host.id} host={host} />
      ))}
      {rest > 0 ? <span className="text-faint">{words.moreHosts(rest)}</span> : null}
    </span>
  )
}

export const auditLogColumns = (open: (entry: AuditLogEntry) => void): readonly Column<AuditLogEntry>[] =>
  Object.values(columnsOf(AUDIT_LOG_LIST, cellsOf(open)))
