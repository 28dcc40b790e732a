'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AlarmsView, AlarmView } from '@/server/api/alarm/router'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { EmptyState } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { Table } from '../ui/table/Table'
import { type AlarmAction, AlarmDialog } from './AlarmDialog'
import { endedColumns, muteColumns, openColumns } from './columns'
import { DeliveryPanel } from './DeliveryPanel'
import { ALARMS_REFETCH_MS, muteWords, alarmWords as words } from './words'

export function AlarmPage() {
  const trpc = useTRPC()
  const query = useQuery(trpc.alarm.list.queryOptions(undefined, { refetchInterval: ALARMS_REFETCH_MS }))
  const [asking, setAsking] = useState<AlarmAction | null>(null)
  return (
    <div className="flex flex-col gap-3">
      <Loaded query={query} what={words.what} minHeight={240}>
        {(alarms) => <Alarms alarms={alarms} onAsk={setAsking} />}
      </Loaded>
      {asking ? <AlarmDialog asking={asking} onClose={() => setAsking(null)} /> : null}
    </div>
  )
}

function Alarms({ alarms, onAsk }: { readonly alarms: AlarmsView; readonly onAsk: (asking: AlarmAction) => void }) {
  const { rows, mutes, channels, permitted } = alarms
  const trpc = useTRPC()
  const deliveries = useQuery(trpc.alarm.deliveries.queryOptions())
  const why = permitted.acknowledge.ok ? null : permitted.acknowledge.why
  const open = rows.filter(({ endedAt }) => endedAt === null)
  const ended = rows.filter(({ endedAt }) => endedAt !== null)
  const actions = (alarm: AlarmView) => (
    <span className="flex flex-wrap gap-1">
      {alarm.acknowledgedAt === null ? (
        <Button size="sm" disabledReason={why} onPress={() => onAsk({ do: 'acknowledge', alarm })}>
          {words.acknowledge}
        </Button>
      ) : null}
      {alarm.isMuted ? null : (
        <Button size="sm" disabledReason={why} onPress={() => onAsk({ do: 'mute', alarm })}>
          {words.mute}
        </Button>
      )}
    </span>
  )
  return (
    <>
      <Panel title={words.open} flush>
        <Table
          frameless
          label={words.open}
          columns={openColumns(actions)}
          rows={open}
          empty={<EmptyState title={words.none}>{words.noneMore}</EmptyState>}
        />
      </Panel>
      {mutes.length > 0 ? (
        <Panel title={muteWords.title} flush>
          <Table
            frameless
            label={muteWords.title}
            columns={muteColumns({ alarms: rows, onUnmute: (mute) => onAsk({ do: 'unmute', mute }), why })}
            rows={mutes}
          />
        </Panel>
      ) : null}
      <DeliveryPanel channels={channels} permit={permitted.test} onTest={(channel) => onAsk({ do: 'test', channel })} />
      {/* Below a log of unknown height: it would move while that loads. */}
      <Panel title={words.ended} flush className={deliveries.isPending ? 'invisible' : undefined}>
        <Table
          frameless
          label={words.ended}
          columns={endedColumns}
          rows={ended}
          empty={<EmptyState title={words.noneEnded} />}
        />
      </Panel>
    </>
  )
}
