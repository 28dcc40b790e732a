'use client'
import { lazy, type ReactNode, Suspense } from 'react'
import type { ErrorView, RefusalView } from '@/server/api/refusal/view'
import { Boundary } from '../ui/Boundary'
import { Button } from '../ui/Button'
import { ButtonLink } from '../ui/Link'
import { ErrorState, StaleLine } from '../ui/Message'
import { PageHead } from '../ui/Panel'
import { Skeleton } from '../ui/Skeleton'
import { uiWords } from '../ui/words'
import { consoleWords } from './words'

// How a failed query or action is shown: what happened, on what, what was not changed, the next step, an id.

const words = consoleWords.error

// Few pages refuse anything and the text of all rules is as large as a page, so it loads with the first refusal.
const RefusalList = lazy(() => import('../refusal/RefusalList').then((code) => ({ default: code.RefusalList })))

/** The API's description of a failure; null if the API never answered. */
export function errorView(error: unknown): ErrorView | null {
  const data = (error as { data?: { berth?: ErrorView } } | null)?.data
  return data?.berth ?? null
}

export function isNotFound(error: unknown): boolean {
  return (error as { data?: { code?: string } } | null)?.data?.code === 'NOT_FOUND'
}

interface FailureProps {
  readonly error: unknown
  readonly title: string
  readonly action?: ReactNode
  /** What failed may have changed something: without an answer, nobody knows. */
  readonly mayHaveChanged?: boolean
}

export function Failure({ error, title, action, mayHaveChanged }: FailureProps) {
  return <ErrorState facts={{ title, ...failureFacts(error, mayHaveChanged) }} action={action} />
}

export function failureFacts(error: unknown, mayHaveChanged?: boolean) {
  const view = errorView(error)
  if (!view) {
    const [notChanged, next] = mayHaveChanged ? words.unanswered : [uiWords.renderFailure.nothing, words.networkNext]
    return { happened: words.network, notChanged, next }
  }
  const what = words.whatWhere(view.what || uiWords.renderFailure.internal, view.where)
  const happened = view.refusals.length > 0 ? <Refusals refusals={view.refusals} fallback={what} /> : what
  const { notChanged, next, requestId } = view
  return { happened, notChanged: notChanged ?? uiWords.renderFailure.nothing, next, requestId }
}

/** `fallback` while their code loads, or if it cannot. */
export const Refusals = ({ refusals, fallback }: { refusals: readonly RefusalView[]; fallback: string }) => (
  <Boundary fallback={() => fallback}>
    <Suspense fallback={fallback}>
      <RefusalList refusals={refusals} />
    </Suspense>
  </Boundary>
)

/** Shown where an action was requested; nothing unless it failed. */
export const ActionFailure = ({ error, what }: { error: unknown; what: string }) =>
  error ? <Failure mayHaveChanged error={error} title={words.action(what)} /> : null

/** A page part that loads its data. It keeps its space while loading, and old data stay until new data arrive. */
export function Loaded<T>(props: {
  readonly query: { readonly data: T | undefined; readonly error: unknown; readonly refetch: () => unknown }
  readonly what: string
  readonly minHeight?: number
  /** Text shown during a slow load. */
  readonly pending?: string
  /** It is the whole page, so its heading is shown from the start. */
  readonly page?: boolean
  readonly children: (data: T) => ReactNode
}) {
  const { data, error, refetch } = props.query
  if (data !== undefined) {
    // Same element tree with and without the line, so that input and results below it survive a failed query.
    return (
      <>
        {error ? <StaleLine action={<RetryButton retry={refetch} />}>{uiWords.stalePart}</StaleLine> : null}
        {props.children(data)}
      </>
    )
  }
  return (
    <>
      {props.page ? <PageHead title={props.what} /> : null}
      {error ? (
        <LoadFailure {...props} error={error} refetch={refetch} />
      ) : (
        <Pending minHeight={props.minHeight} text={props.pending} />
      )}
    </>
  )
}

/** Where the data would be, with a way to try again. */
export function LoadFailure(props: { error: unknown; what: string; page?: boolean; refetch: () => unknown }) {
  const { error, what, page, refetch } = props
  const isMissing = isNotFound(error)
  return (
    <Failure
      error={error}
      title={isMissing ? words.missing : words.query(what)}
      action={isMissing && page ? <ListLink /> : <RetryButton retry={refetch} />}
    />
  )
}

/** To the list that the page's object would be in: the first part of its address. */
function ListLink() {
  const [, list = ''] = (globalThis.location?.pathname ?? '').split('/')
  return (
    <ButtonLink size="sm" href={`/${list}`}>
      {words.toList}
    </ButtonLink>
  )
}

const RetryButton = ({ retry }: { retry: () => unknown }) => (
  <Button size="sm" onPress={() => retry()}>
    {uiWords.tryAgain}
  </Button>
)

const LINE_HEIGHT = 28
const MAX_LINES = 10
/** Line widths vary as in real text. */
const LINE_WIDTHS = ['w-2/5', 'w-3/5', 'w-1/2', 'w-2/3', 'w-1/3']

/** Reserves space while loading, and shows a skeleton if loading takes longer than a moment. */
export function Pending({ minHeight = 160, text }: { minHeight?: number; text?: string }) {
  const lines = Math.min(MAX_LINES, Math.floor(minHeight / LINE_HEIGHT) - 1)
  return (
    <div aria-busy="true" style={{ minHeight }}>
      {text ? <p className="appear-late m-0 text-soft">{text}</p> : <span className="sr-only">{uiWords.loading}</span>}
      <div className="appear-late flex flex-col gap-[18px] pt-2" aria-hidden="true">
        {Array.from({ length: Math.max(0, lines) }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name and no order to keep
          <Skeleton key={line} className={LINE_WIDTHS[line % LINE_WIDTHS.length]} />
        ))}
      </div>
    </div>
  )
}
