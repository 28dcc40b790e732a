'use client'
import type { ReactNode } from 'react'
import { Tabs as RacTabs, Tab, TabList, TabPanel } from 'react-aria-components'
import { Tag } from './Badge'
import type { Tone } from './tone'

export interface TabItem<Id extends string> {
  readonly id: Id
  readonly label: string
  readonly count?: number | null
  readonly tone?: Tone
  readonly content: ReactNode
}

/** Which tab is open belongs to the address, so the caller holds it. */
export function Tabs<Id extends string>(props: {
  readonly label: string
  readonly items: readonly TabItem<Id>[]
  readonly open: Id
  readonly onOpen: (id: Id) => void
}) {
  return (
    <RacTabs
      selectedKey={props.open}
      onSelectionChange={(key) => props.onOpen(key as Id)}
      // What has the focus inside has a ring of its own; one around everything would say nothing.
      className="flex min-h-0 flex-1 flex-col outline-none"
    >
      <TabList
        aria-label={props.label}
        className="flex shrink-0 gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]"
      >
        {props.items.map((item) => (
          <Tab
            key={item.id}
            id={item.id}
            className="flex h-8 shrink-0 cursor-default items-center gap-1.5 rounded-t-md border-b-2 border-transparent px-2.5 text-sm text-soft hovered:text-ink selected:border-accent selected:font-medium selected:text-ink"
          >
            {item.label}
            {item.count != null ? <Tag tone={item.count > 0 ? item.tone : 'idle'}>{item.count}</Tag> : null}
          </Tab>
        ))}
      </TabList>
      {props.items.map((item) => (
        <TabPanel key={item.id} id={item.id} className="min-h-0 flex-1 pt-3 outline-none">
          {item.content}
        </TabPanel>
      ))}
    </RacTabs>
  )
}
