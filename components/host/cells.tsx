import type { HostRow } from '@/server/api/host/view'
import { paths } from '../console/paths'
import { dash } from '../ui/dash'
import { TextLink } from '../ui/Link'
import { hostWords } from './words'

const movesText = ({ movesIn, movesOut }: HostRow): string | null =>
  movesIn + movesOut === 0 ? null : hostWords.movesInOut(movesIn, movesOut)

export function MovesInOut({ row }: { row: HostRow }) {
  const text = movesText(row)
  if (text === null) return dash
  return <TextLink href={paths.host(row.id, { tab: 'moves' })}>{text}</TextLink>
}
