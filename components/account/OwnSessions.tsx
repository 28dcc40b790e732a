'use client'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenSessionView } from '@/server/api/session/open'
import { MutationDialog } from '../console/MutationDialog'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { showToast } from '../ui/overlay/Toasts'
import { Panel } from '../ui/Panel'
import { Table } from '../ui/table/Table'
import { sessionColumns } from '../user/session-columns'
import { sessionListWords } from '../user/words'
import { accountWords as words } from './words'

interface OwnSessionsProps {
  readonly sessions: readonly OpenSessionView[]
  readonly onChange: () => void
}

export function OwnSessions({ sessions, onChange }: OwnSessionsProps) {
  const [ending, setEnding] = useState<OpenSessionView | 'others' | null>(null)
  const others = sessions.filter(({ isThis }) => !isThis)
  return (
    <Panel
      flush
      title={words.sessions}
      aside={
        others.length > 1 ? (
          <Button size="sm" onPress={() => setEnding('others')}>
            {words.endOthers}
          </Button>
        ) : null
      }
    >
      <Table frameless label={words.sessions} columns={sessionColumns(setEnding)} rows={sessions} />
      {ending ? <EndOwn ending={ending} onChange={onChange} onClose={() => setEnding(null)} /> : null}
    </Panel>
  )
}

function EndOwn(props: { ending: OpenSessionView | 'others'; onChange: () => void; onClose: () => void }) {
  const { ending, onChange, onClose } = props
  const trpc = useTRPC()
  const end = useMutation(
    trpc.session.end.mutationOptions({
      onSuccess: ({ ended }) => {
        showToast('ok', sessionListWords.ended(ended))
        onChange()
        onClose()
      },
    }),
  )
  const verb = ending === 'others' ? words.endOthers : sessionListWords.end
  return (
    <MutationDialog
      onClose={onClose}
      confirmLabel={verb}
      danger
      consequences={
        <p className="m-0">
          {ending === 'others' ? words.endsAll : words.ends(ending.address ?? sessionListWords.unknown)}
        </p>
      }
      mutation={end}
      onConfirm={() => end.mutate({ session: ending === 'others' ? null : ending.id })}
    />
  )
}
