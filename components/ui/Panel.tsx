import { type ReactNode, useId } from 'react'
import { cx } from './cx'

/** A named part of a page. */
export function Panel(props: {
  readonly title: ReactNode
  /** Beside the title, but not part of the panel's name. */
  readonly detail?: string
  readonly aside?: ReactNode
  readonly children: ReactNode
  readonly flush?: boolean
  readonly className?: string
}) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={cx('flex min-w-0 flex-col rounded-lg border border-line bg-surface', props.className)}
    >
      <header className="flex min-h-9 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-b border-line px-3 py-1">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <h2 id={id} className="m-0 text-sm font-semibold">
            {props.title}
          </h2>
          {props.detail ? <span className="text-xs text-soft">{props.detail}</span> : null}
        </div>
        {props.aside ? <div className="flex flex-wrap items-center gap-2 text-xs text-soft">{props.aside}</div> : null}
      </header>
      <div className={cx('min-w-0 flex-1', !props.flush && 'p-3')}>{props.children}</div>
    </section>
  )
}

interface SidePanelProps {
  readonly label: string
  readonly narrow?: boolean
  /** Opened by a row: in a narrow window it stays at the foot of the page, or the end of a long list would hide it. */
  readonly opened?: boolean
  readonly children: ReactNode
}

/** Beside a table: the picked row in full. */
export function SidePanel(props: SidePanelProps) {
  return (
    <aside
      aria-label={props.label}
      data-opened={props.opened}
      className={cx(
        'flex min-h-0 shrink-0 flex-col overflow-auto rounded-lg border border-line bg-surface p-3 max-lg:w-full',
        props.narrow ? 'w-[300px] 2xl:w-[380px]' : 'w-[400px]',
        props.opened && 'max-lg:sticky max-lg:-bottom-4 max-lg:z-10 max-lg:max-h-[45dvh] max-lg:shadow-lg',
      )}
    >
      {props.children}
    </aside>
  )
}

/** A part of a panel with its own small heading. */
export const PanelPart = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <section>
    <h2 className="m-0 pb-1 text-xs font-medium text-soft">{title}</h2>
    {children}
  </section>
)

/** The heading of a page part without a frame, such as a table. */
export const SectionTitle = ({ children }: { children: ReactNode }) => (
  <h2 className="m-0 flex h-7 items-center text-sm font-semibold">{children}</h2>
)

/** Title, state and actions of a page, with facts below; the same on every page. */
export function PageHead(props: {
  readonly title: ReactNode
  readonly state?: ReactNode
  readonly facts?: ReactNode
  readonly actions?: ReactNode
}) {
  return (
    <div className="flex flex-col gap-1 pb-3 max-md:gap-2">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="m-0 min-w-0 text-xl font-semibold tracking-[-0.01em] wrap-anywhere">{props.title}</h1>
        {props.state}
        {props.actions ? (
          <>
            {/* Actions that have a line of their own begin where the title does. */}
            <span className="-mr-3 grow" />
            <div className="flex flex-wrap items-center gap-2">{props.actions}</div>
          </>
        ) : null}
      </div>
      {props.facts ? (
        <div className="flex min-h-5 flex-wrap items-center gap-x-5 gap-y-1 text-sm text-soft">{props.facts}</div>
      ) : null}
    </div>
  )
}
