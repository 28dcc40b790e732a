import type { HostRow } from '@/server/api/host/view'
import { Note } from '../ui/Message'
import { RelativeTime } from '../ui/time/Clock'
import { evacuationWords as words } from './words'

type HostSignal = Pick<HostRow, 'status' | 'contact' | 'lastSeenAt'>

/** An operator recorded it down, but the last survey reached it: its instances may run there. */
export const stillAnswers = ({ status, contact }: Pick<HostSignal, 'status' | 'contact'>): boolean =>
  status === 'down' && contact === 'answering'

/** Shown wherever an operator is about to mark a host as fenced or lost. Empty if it does not answer. */
export function StillAnswers({ host }: { host: HostSignal }) {
  if (!stillAnswers(host) || host.lastSeenAt === null) return null
  return (
    <Note tone="bad" shape="triangle">
      {words.stillAnswers} <RelativeTime at={host.lastSeenAt} />
    </Note>
  )
}
