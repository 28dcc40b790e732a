import { useQuery } from '@tanstack/react-query'
import type { AlarmDeliveryView, AlarmsView } from '@/server/api/alarm/router'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { EmptyState } from '../ui/Message'
import { Panel } from '../ui/Panel'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { uiWords } from '../ui/words'
import { deliveryBadge, deliveryWords as words } from './words'

type Channel = AlarmsView['channels'][number]

const REFETCH_INTERVAL_MS = 5_000

/** Alarm receivers, a test of delivery, and the delivery log. */
export function DeliveryPanel(props: {
  readonly channels: readonly Channel[]
  readonly permit: AlarmsView['permitted']['test']
  readonly onTest: (channel: Channel) => void
}) {
  const trpc = useTRPC()
  const query = useQuery(trpc.alarm.deliveries.queryOptions(undefined, { refetchInterval: REFETCH_INTERVAL_MS }))
  const { channels, permit, onTest } = props
  const tests = channels.map((channel) => (
    <Button key={channel} size="sm" disabledReason={permit.ok ? null : permit.why} onPress={() => onTest(channel)}>
      {words.testOf(words.channels[channel])}
    </Button>
  ))
  const names = channels.map((channel) => words.channels[channel])
  return (
    <Panel title={words.title} flush aside={tests}>
      <p className="m-0 px-3 py-2 text-soft">
        {channels.length > 0 ? words.sentBy(uiWords.list(names)) : words.noChannel}
      </p>
      <Loaded query={query} what={words.what} minHeight={80}>
        {(rows) => (
          <Table
            frameless
            label={words.title}
            columns={columns}
            rows={rows}
            empty={<EmptyState title={words.none} />}
          />
        )}
      </Loaded>
    </Panel>
  )
}

const head = words.columns

const columns: readonly Column<AlarmDeliveryView>[] = [
  {
    ...{ id: 'state', head: head.state, width: 100, keep: true },
    badge: deliveryBadge,
  },
  { ...{ id: 'event', head: head.event, width: 80 }, value: (row) => words.events[row.event] },
  { ...{ id: 'name', head: head.name, fixed: true, minWidth: 120 }, value: (row) => row.name },
  { ...{ id: 'channel', head: head.channel, width: 90 }, value: (row) => words.channels[row.channel] },
  {
    ...{ id: 'made', head: head.made, width: 124, timestamp: true },
    value: (row) => row.madeAt,
  },
  { ...{ id: 'attempts', head: head.attempts, width: 60, align: 'end' }, value: (row) => row.attempts },
  { ...{ id: 'error', head: head.error, minWidth: 200, wraps: true }, value: (row) => row.error },
]
