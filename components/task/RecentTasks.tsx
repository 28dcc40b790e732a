'use client'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { TextLink } from '../ui/Link'
import { EmptyState } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { Table } from '../ui/table/Table'
import { recentColumns } from './columns'
import { taskWords as words } from './words'

const SHOWN = 12

/** Recent requests of all users: action, object, user, time and result. */
export function RecentTasks() {
  const trpc = useTRPC()
  const query = useQuery(trpc.task.list.queryOptions({ limit: SHOWN }))
  return (
    <Panel title={words.recent} aside={<TextLink href={paths.tasks()}>{words.all}</TextLink>} flush>
      <Loaded query={query} what={words.recent} minHeight={220}>
        {({ rows }) => (
          <Table
            frameless
            label={words.recent}
            columns={recentColumns}
            rows={rows}
            empty={<EmptyState title={words.empty}>{words.emptyMore}</EmptyState>}
          />
        )}
      </Loaded>
    </Panel>
  )
}
