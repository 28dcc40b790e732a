import type { OpenSessionView } from '@/server/api/session/open'
import { Tag } from '../ui/Badge'
import { Button } from '../ui/Button'
import type { Column } from '../ui/table/column'
import { uiWords } from '../ui/words'
import { sessionListWords as words } from './words'

const head = words.columns

export const sessionColumns = (onEnd: (session: OpenSessionView) => void): readonly Column<OpenSessionView>[] => [
  {
    ...{ id: 'browser', head: head.browser, fixed: true, minWidth: 200 },
    value: ({ userAgent }) => browserText(userAgent) ?? words.unknown,
    cell: ({ userAgent, isThis }) => (
      <span className="flex items-baseline gap-2" title={userAgent ?? undefined}>
        {browserText(userAgent) ?? words.unknown}
        {isThis ? <Tag>{words.isThis}</Tag> : null}
      </span>
    ),
  },
  {
    ...{ id: 'address', head: head.address, width: 120, secondLine: 'named' },
    value: (row) => row.address,
  },
  {
    ...{ id: 'since', head: head.since, width: 110, timestamp: true, secondLine: 'named' },
    value: (row) => row.createdAt,
  },
  {
    ...{ id: 'expires', head: head.expires, width: 110, timestamp: true },
    value: (row) => row.expiresAt,
  },
  {
    ...{ id: 'actions', head: head.actions, width: 120, keep: true },
    // The current session ends by signing out.
    cell: (row) =>
      row.isThis ? null : (
        <Button size="sm" onPress={() => onEnd(row)}>
          {words.end}
        </Button>
      ),
  },
]

/** Browser and system of a user agent by their common names; null if neither is known. */
function browserText(agent: string | null): string | null {
  if (agent === null) return null
  const browser = BROWSERS.find(([mark]) => agent.includes(mark))?.[1]
  const system = SYSTEMS.find(([mark]) => agent.includes(mark))?.[1]
  return browser === undefined ? agent.split(' ', 1)[0] || null : uiWords.list([browser, system])
}

/** Browsers that also name others come first: Edge includes Chrome, and Chrome includes Safari. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['Windows', 'Windows'],
  ['Android', 'Android'],
  ['iPhone', 'iOS'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const
