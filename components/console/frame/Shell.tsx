'use client'
import { type ReactNode, useRef } from 'react'
import { SkipLink } from '../../ui/SkipLink'
import { Keys } from './Keys'
import { useLostFocus } from './lost-focus'
import { Preload } from './Preload'
import { Side, type SideProps } from './Side'
import { TaskBar } from './TaskBar'

/**
 * The frame around every page: where one is, whether the screen can be trusted, and what moves right now. On a phone and a
 * tablet the navigation is behind one button.
 */
export function Shell({ children, ...props }: SideProps & { children: ReactNode }) {
  const content = useRef<HTMLElement>(null)
  useLostFocus(content)
  return (
    <div className="grid h-dvh grid-cols-[184px_minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto] max-lg:grid-cols-1 max-lg:grid-rows-[auto_minmax(0,1fr)_auto]">
      <SkipLink to="content" />
      <Side {...props} />
      <main
        id="content"
        ref={content}
        tabIndex={-1}
        className="flex min-w-0 flex-col overflow-auto p-4 outline-none max-md:p-3"
      >
        {props.notice}
        {children}
      </main>
      <TaskBar />
      <Keys />
      <Preload />
    </div>
  )
}
