'use client'
import { usePathname } from 'next/navigation'
import { parseAsString, useQueryState } from 'nuqs'
import { Note } from '../ui/Message'
import { readMoment } from './address'
import { PastLine } from './PastLine'
import { pastWords as words } from './words'

/**
 * Pages with history, or that mark the parts that have it. Every other page says here that it has none: a new page is
 * one of those until it is listed.
 */
const WITH_HISTORY: readonly RegExp[] = [/^\/hosts$/, /^\/hosts\/[^/]+$/, /^\/migrations$/, /^\/claims$/]

/** Over every page whose address names a time that the page does not show, and why it does not. */
export function AtNotice() {
  const [text, setText] = useQueryState('at', parseAsString)
  const path = usePathname()
  if (text === null) return null
  const moment = readMoment(text)
  if (moment !== null && WITH_HISTORY.some((page) => page.test(path))) return null
  const title = moment === null ? words.unreadable(text) : words.asItIs(moment.getTime())
  return (
    <div className="pb-3">
      <Note tone="twice" shape="diamond">
        <div className="-my-1">
          <PastLine
            title={title}
            more={moment === null ? words.unreadableMore : words.noHistory}
            onNow={() => void setText(null)}
          />
        </div>
      </Note>
    </div>
  )
}
