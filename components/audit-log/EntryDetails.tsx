'use client'
import { AUDIT_LOG_LIST } from '@/lists/audit-log'
import type { AuditLogEntry } from '@/server/api/audit-log/router'
import { actorText } from '../console/actors'
import { paths } from '../console/paths'
import { StateBadge } from '../ui/Badge'
import { Copyable } from '../ui/Copyable'
import { dash } from '../ui/dash'
import { KeyValue } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { AbsoluteTime } from '../ui/time/zone'
import { actionText, EntryObject } from './columns'
import { outcomeBadges, auditLogWords as words } from './words'

const { columns } = AUDIT_LOG_LIST

/** One entry in full. Its details hold the change as recorded. */
export function EntryDetails({ entry }: { entry: AuditLogEntry }) {
  const details = Object.entries(entry.data)
  return (
    <div className="flex flex-col gap-4">
      <KeyValue
        facts={[
          { key: columns.at.head, value: <AbsoluteTime isNamed at={entry.at} /> },
          { key: columns.action.head, value: actionText(entry) },
          { key: columns.outcome.head, value: <StateBadge badge={outcomeBadges[entry.outcome]} /> },
          { key: columns.object.head, value: <EntryObject entry={entry} /> },
          { key: columns.who.head, value: actorText(entry.who) },
          { key: columns.role.head, value: entry.role ?? dash },
          { key: columns.address.head, value: entry.address ?? dash },
          { key: columns.credential.head, value: entry.credential ?? dash },
          { key: columns.reason.head, value: entry.reason ?? dash },
          ...(entry.migration
            ? [
                {
                  key: words.migration,
                  value: <TextLink href={paths.migration(entry.migration)}>{entry.migration}</TextLink>,
                },
              ]
            : []),
          { key: columns.request.head, value: entry.request ? <Copyable text={entry.request} whole /> : dash },
          { key: columns.entry.head, value: entry.id },
        ]}
      />
      <section aria-label={words.data} className="flex flex-col gap-1">
        <h3 className="m-0 text-sm font-medium">{words.data}</h3>
        {details.length === 0 ? <p className="m-0 text-soft">{words.noDetails}</p> : null}
        {details.length > 0 ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
          <pre tabIndex={0} className="m-0 overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs">
            {JSON.stringify(entry.data, null, 2)}
          </pre>
        ) : null}
      </section>
    </div>
  )
}
