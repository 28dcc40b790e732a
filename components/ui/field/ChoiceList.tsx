import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { cx } from '../cx'
import { popClasses } from '../overlay/pop-classes'
import { uiWords } from '../words'
import { type Choice, choiceId } from './combo-box'

/** The open list of a combo box: a popover of the browser, so that no dialog or pane clips it. */
export function ChoiceList(props: {
  readonly id: string
  readonly label: string
  readonly anchor: RefObject<HTMLElement | null>
  readonly shown: readonly Choice[]
  /** Number of matches that are not shown. */
  readonly more: number
  readonly active: number
  readonly selected: string | null
  readonly isLoading: boolean
  readonly onPick: (choice: Choice) => void
}) {
  const { id, shown, more, active } = props
  const popover = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  usePopover(popover, props.anchor)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView?.({ block: 'nearest' })
  }, [active])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field has the keyboard
    <div
      ref={popover}
      popover="manual"
      // Before the field loses the focus.
      onMouseDown={(event) => event.preventDefault()}
      className={cx(popClasses, 'fixed inset-auto m-0 flex flex-col overflow-hidden text-ink')}
    >
      <div ref={list} id={id} role="listbox" aria-label={props.label} className="min-h-0 overflow-auto">
        {shown.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard
          // biome-ignore lint/a11y/useFocusableInteractive: the field names the active choice
          <div
            key={choice.id}
            id={choiceId(id, index)}
            role="option"
            aria-label={choice.label}
            aria-describedby={choice.detail ? `${choiceId(id, index)}-detail` : undefined}
            aria-selected={choice.id === props.selected}
            onClick={() => props.onPick(choice)}
            className={cx(
              'flex cursor-default flex-col rounded-sm px-2 py-1 text-sm hover:bg-hover',
              choice.id === props.selected && 'font-medium',
              index === active && 'bg-hover outline-1 -outline-offset-1 outline-accent',
            )}
          >
            {choice.label}
            {choice.detail ? (
              <span id={`${choiceId(id, index)}-detail`} className="text-xs font-normal text-faint">
                {choice.detail}
              </span>
            ) : null}
          </div>
        ))}
      </div>
      <p role="status" className="m-0 px-2 text-sm text-faint not-empty:py-1">
        {shown.length === 0 ? (props.isLoading ? uiWords.loading : uiWords.noMatch) : null}
        {more > 0 ? uiWords.moreMatches(more) : null}
      </p>
    </div>
  )
}

const GAP_PX = 4
const HEIGHT_MAX_PX = 320

/** Below its anchor, or above it where there is more space; it follows when the page scrolls. */
function usePopover(popover: RefObject<HTMLDivElement | null>, anchor: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const place = () => {
      if (!popover.current || !anchor.current) return
      const { top, bottom, left, width } = anchor.current.getBoundingClientRect()
      const [above, below] = [top - GAP_PX, window.innerHeight - bottom - GAP_PX]
      const isBelow = below >= Math.min(HEIGHT_MAX_PX, above)
      Object.assign(popover.current.style, {
        left: `${left}px`,
        width: `${width}px`,
        top: isBelow ? `${bottom + GAP_PX}px` : 'auto',
        bottom: isBelow ? 'auto' : `${window.innerHeight - above}px`,
        maxHeight: `${Math.min(HEIGHT_MAX_PX, isBelow ? below : above) - GAP_PX}px`,
      })
    }
    popover.current?.showPopover?.()
    place()
    window.addEventListener('resize', place)
    window.addEventListener('scroll', place, true)
    return () => {
      window.removeEventListener('resize', place)
      window.removeEventListener('scroll', place, true)
    }
  }, [popover, anchor])
}
