import type { HostRow } from '@/server/api/contract'
import { paths } from '../console/paths'
import { TextLink } from '../ui/Link'
import { uiWords } from '../ui/words'
import { admissionLooks, hostWords } from './words'

/** What the badge says, for a file. */
export function admissionText({ admission, reason }: HostRow): string {
  const { label } = admissionLooks[admission]
  return reason ? uiWords.labelled(label, reason) : label
}

export const movesText = ({ movesIn, movesOut }: HostRow): string | null =>
  movesIn + movesOut === 0 ? null : hostWords.movesInOut(movesIn, movesOut)

export function MovesInOut({ row }: { row: HostRow }) {
  const text = movesText(row)
  if (text === null) return <span className="text-faint">–</span>
  return <TextLink href={paths.host(row.id, { tab: 'moves' })}>{text}</TextLink>
}
