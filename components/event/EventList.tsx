'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import { Table } from '../ui/table/Table'
import { eventColumns } from './columns'
import { type EventRow, mergeWaits } from './waits'
import { eventWords as words } from './words'

const STEP = 100
const MAX_EVENTS = 1000

const rowKey = (event: EventRow) => event.seq

/** Events about one object, newest first. */
export function EventList({ about }: { about: { host?: string; instance?: string; migration?: string } }) {
  const trpc = useTRPC()
  const [limit, setLimit] = useState(STEP)
  // The audit log finds entries by the ids of both, and of hosts only by name.
  const id = about.migration ?? about.instance
  const query = useQuery(
    trpc.event.list.queryOptions(
      // The Transfer tab of a migration shows the reports.
      { ...about, progress: false, limit },
      { placeholderData: keepPreviousData },
    ),
  )
  return (
    <Loaded query={query} what={words.title}>
      {(events) => (
        <div className="flex flex-col items-center gap-2">
          <div className="w-full">
            <Table
              label={words.title}
              columns={eventColumns}
              rows={mergeWaits(events)}
              rowKey={rowKey}
              filters={id ? <AuditLogLink of={id} /> : null}
              empty={<EmptyState title={words.empty}>{words.emptyMore}</EmptyState>}
            />
          </div>
          {events.length >= limit && limit < MAX_EVENTS ? (
            <Button onPress={() => setLimit(limit + STEP)}>{words.older}</Button>
          ) : null}
        </div>
      )}
    </Loaded>
  )
}

/** Who requested what, from where and why. */
const AuditLogLink = ({ of }: { of: string }) => (
  <span className="flex h-7 items-center text-sm">
    <TextLink href={paths.auditLog({ q: of })}>{words.auditLog}</TextLink>
  </span>
)
