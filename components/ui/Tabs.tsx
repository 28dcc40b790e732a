'use client'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Tag } from './Badge'
import { cx } from './cx'
import type { Tone } from './tone'

export interface TabItem<Id extends string> {
  readonly id: Id
  readonly label: string
  /** A count that has not arrived keeps its space: a tab that moves is not the one that is hit. */
  readonly count?: number | 'awaited' | null
  readonly tone?: Tone
  readonly content: ReactNode
}

interface TabsProps<Id extends string> {
  readonly label: string
  readonly items: readonly TabItem<Id>[]
  readonly open: Id
  readonly onOpen: (id: Id) => void
}

/** The address holds which tab is open, so the caller controls it. Keys and roles follow the ARIA tabs pattern. */
export function Tabs<Id extends string>(props: TabsProps<Id>) {
  const { label, items, open } = props
  const scope = useId()
  const panel = useRef<HTMLDivElement>(null)
  const nothingToReach = useNothingToReach(panel, open)
  const tabId = (id: Id) => `${scope}-tab-${id}`
  const panelId = `${scope}-panel`
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={(event) => walk(event, props)}
        className="flex shrink-0 gap-1 overflow-x-auto border-b border-line [scrollbar-width:none]"
      >
        {items.map((item) => (
          <TabButton
            key={item.id}
            id={tabId(item.id)}
            item={item}
            panel={item.id === open ? panelId : null}
            onOpen={() => props.onOpen(item.id)}
          />
        ))}
      </div>
      <div
        key={open}
        ref={panel}
        role="tabpanel"
        id={panelId}
        aria-labelledby={tabId(open)}
        tabIndex={nothingToReach ? 0 : undefined}
        className="min-h-0 flex-1 pt-3"
      >
        {items.find(({ id }) => id === open)?.content}
      </div>
    </div>
  )
}

/** `panel` is the content of an open tab; null if it is closed. */
function TabButton<Id extends string>(props: {
  readonly id: string
  readonly item: TabItem<Id>
  readonly panel: string | null
  readonly onOpen: () => void
}) {
  const { item, panel } = props
  const open = panel !== null
  const button = useRef<HTMLButtonElement>(null)
  // On a phone not all tabs fit; the open one must stay visible.
  useEffect(() => {
    if (open && button.current) intoView(button.current)
  }, [open])
  return (
    <button
      ref={button}
      type="button"
      role="tab"
      id={props.id}
      aria-selected={open}
      aria-controls={panel ?? undefined}
      tabIndex={open ? 0 : -1}
      onClick={props.onOpen}
      className={cx(
        'flex h-8 shrink-0 cursor-default items-center gap-1.5 rounded-t-md border-b-2 px-2.5 text-sm hover:text-ink',
        open ? 'border-accent font-medium text-ink' : 'border-transparent text-soft',
      )}
    >
      {item.label}
      {item.count == null ? null : <Count count={item.count} tone={item.tone} />}
    </button>
  )
}

/** Not by `scrollIntoView`: the next Tab would begin at the tab, and not at the skip link. */
function intoView(tab: HTMLElement): void {
  const list = tab.parentElement as HTMLElement
  const [shown, needed] = [list.getBoundingClientRect(), tab.getBoundingClientRect()]
  list.scrollLeft += Math.max(0, needed.right - shown.right) - Math.max(0, shown.left - needed.left)
}

/** As wide for one digit as for two. */
const Count = ({ count, tone }: { count: number | 'awaited'; tone: Tone | undefined }) => (
  <span className="flex min-w-[26px]">
    {count === 'awaited' ? null : <Tag tone={count > 0 ? tone : 'idle'}>{count}</Tag>}
  </span>
)

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowRight: (at, last) => (at === last ? 0 : at + 1),
  ArrowLeft: (at, last) => (at === 0 ? last : at - 1),
  Home: () => 0,
  End: (_at, last) => last,
}

/** One tab is in the tab order; arrows, Home and End reach the others and open them. */
function walk<Id extends string>(event: KeyboardEvent<HTMLElement>, { items, onOpen }: TabsProps<Id>): void {
  const step = STEPS[event.key]
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
  const next = step(tabs.indexOf(event.target as HTMLElement), tabs.length - 1)
  event.preventDefault()
  tabs[next]?.focus()
  const item = items[next]
  if (item) onOpen(item.id)
}

const REACHED = 'a[href],button:not(:disabled),input:not(:disabled),select,textarea,summary,[tabindex]'

/** A panel without focusable content is focusable itself, so that it can be scrolled. */
function useNothingToReach(panel: RefObject<HTMLElement | null>, open: string): boolean {
  const [nothing, setNothing] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab has another panel
  useEffect(() => {
    const element = panel.current
    if (!element) return
    const update = () =>
      setNothing([...element.querySelectorAll<HTMLElement>(REACHED)].every((each) => each.tabIndex < 0))
    update()
    const observer = new MutationObserver(update)
    observer.observe(element, { subtree: true, childList: true, attributeFilter: ['tabindex', 'disabled'] })
    return () => observer.disconnect()
  }, [panel, open])
  return nothing
}
