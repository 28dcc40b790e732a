'use client'
import type { ReactNode } from 'react'
import { Button } from '../ui/Button'
import { Note } from '../ui/Message'
import { useAt } from './address'
import { pastWords as words } from './words'

/** A part of a host's page that does not go back with its map: what it shows holds now, and it must say so. */
export function AsNow({ children }: { children: ReactNode }) {
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
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1 -my-1">
          <strong className="font-medium">{words.asItIs(at)}</strong>
          <span className="text-soft">{words.onlyMap}</span>
          <Button size="sm" onPress={() => setAt(null)}>
            {words.now}
          </Button>
        </div>
      </Note>
    </div>
  )
}

/** Before badges and facts in the head of such a page. */
export function NowMark() {
  const { at } = useAt()
  return at === null ? null : <span className="text-sm text-twice">{words.ofNow}</span>
}
