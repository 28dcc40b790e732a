'use client'
import { usePathname } from 'next/navigation'
import { parseAsString, useQueryState } from 'nuqs'
import { Note } from '../ui/Message'
import { readTime } from './address'
import { PastLine } from './PastLine'
import { pastWords as words } from './words'

/**
 * Pages that show the past, or whose parts say which of them do. Every other page gets a notice that it has no history,
 * including new pages until they are listed.
 */
const WITH_HISTORY: readonly RegExp[] = [/^\/hosts$/, /^\/hosts\/[^/]+$/, /^\/migrations$/, /^\/claims$/]

/** Above pages that do not show the time in their address, with the reason. */
export function PastNotice() {
  const [text, setText] = useQueryState('at', parseAsString)
  const path = usePathname()
  if (text === null) return null
  const time = readTime(text)
  if (time !== null && WITH_HISTORY.some((page) => page.test(path))) return null
  const title = time === null ? words.unreadable(text) : words.asItIs(time.getTime())
  return (
    <div className="pb-3">
      <Note tone="twice" shape="diamond">
        <div className="-my-1">
          <PastLine
            title={title}
            more={time === null ? words.unreadableMore : words.noHistory}
            onNow={() => void setText(null)}
          />
        </div>
      </Note>
    </div>
  )
}
