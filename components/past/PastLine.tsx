import type { ReactNode } from 'react'
import { Button } from '../ui/Button'
import { pastWords as words } from './words'

interface PastLineProps {
  readonly title: string
  readonly more: string
  readonly onNow: () => void
  readonly children?: ReactNode
}

/** The time that a part of the page shows, and a button back to now. */
export function PastLine({ title, more, onNow, children }: PastLineProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <strong className="font-medium">{title}</strong>
      <span className="text-soft">{more}</span>
      {children}
      <Button size="sm" onPress={onNow}>
        {words.now}
      </Button>
    </div>
  )
}
