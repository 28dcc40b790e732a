'use client'
import type { ReactNode } from 'react'
import { Note } from '../ui/Message'
import { useAt } from './address'
import { PastLine } from './PastLine'
import { pastWords as words } from './words'

/** A part of a past host's page that always shows the present, and says so. */
export function PresentOnly({ children }: { children: ReactNode }) {
  return (
    <>
      <NowBar />
      {children}
    </>
  )
}

function NowBar() {
  const { at, setAt } = useAt()
  if (at === null) return null
  return (
    <div className="pb-3">
      <Note tone="twice" shape="diamond">
        <div className="-my-1">
          <PastLine title={words.asItIs(at)} more={words.onlyMap} onNow={() => setAt(null)} />
        </div>
      </Note>
    </div>
  )
}

/** Precedes badges and facts in the head of such a page. */
export function PresentMark() {
  const { at } = useAt()
  return at === null ? null : <span className="text-sm text-twice">{words.ofNow}</span>
}
