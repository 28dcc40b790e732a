'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { MigrationVerdictsView } from '@/server/api/explain/verdicts'
import type { ApiInputs } from '@/server/api/router'
import { claimTotalsText } from '../claim/amount/words'
import { LoadFailure } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { explainWords } from '../explain/words'
import { summaryText, unfixableText } from '../refusal/summary'
import { Button } from '../ui/Button'
import { TextLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { type ExplainFilter, ExplainTable } from './ExplainTable'
import { HostDetailPanel } from './HostDetailPanel'
import { migrateWords as words } from './words'

export function useExplain(input: ApiInputs['migrate']['explain'] | null) {
  const trpc = useTRPC()
  return useQuery(
    trpc.migrate.explain.queryOptions(input ?? ({} as ApiInputs['migrate']['explain']), {
      enabled: input !== null,
      staleTime: 5_000,
      placeholderData: keepPreviousData,
    }),
  )
}

/** The same request on the page that has space for the full result. */
function explainHref(input: ApiInputs['migrate']['explain']): string {
  const { for: _for, ...question } = input
  return paths.explain(question)
}

export interface ExplainPaneProps {
  readonly input: ApiInputs['migrate']['explain'] | null
  readonly query: {
    readonly data: MigrationVerdictsView | undefined
    readonly error: unknown
    readonly refetch: () => unknown
  }
  /** Shown while the request is incomplete. */
  readonly missing: string
  readonly filter: ExplainFilter
  readonly onFilter: (filter: Partial<ExplainFilter>) => void
  readonly picked: string | null
  readonly onPick: (host: string) => void
}

/**
 * All hosts' verdicts on the left, one host in full on the right. One element tree while they load, after a failure and
 * with verdicts: what is open or under way in it stays.
 */
export function ExplainPane(props: ExplainPaneProps) {
  const { input, query } = props
  if (!input) return <p className="m-0 py-6 text-soft">{props.missing}</p>
  return <Verdicts {...props} input={input} view={query.data} />
}

interface VerdictsProps extends ExplainPaneProps {
  readonly input: ApiInputs['migrate']['explain']
  readonly view: MigrationVerdictsView | undefined
}

function Verdicts({ view, input, ...props }: VerdictsProps) {
  const { error, refetch } = props.query
  const fitting = view ? view.counts.ok + view.counts.warning : 0
  return (
    <div className="flex flex-1 flex-col gap-2 lg:min-h-0">
      {view && !view.permit.ok ? (
        <Note tone="warn" shape="triangle">
          {view.permit.why}
        </Note>
      ) : null}
      <div className="min-h-12 text-sm">
        {view ? (
          <p role="status" className="m-0">
            <span className="font-semibold">{explainWords.fits(fitting, view.hosts.length)}</span>{' '}
            {summaryText(view.summary, fitting)} {unfixableText(view.summary, fitting)}
          </p>
        ) : error ? null : (
          <p className="m-0 text-soft">{words.asking}</p>
        )}
        {view ? (
          <div className="flex flex-wrap items-center gap-x-4 text-soft">
            {words.needs(claimTotalsText(view.demand))}
            <TextLink href={explainHref(input)}>{words.whyNot}</TextLink>
            <span className="text-xs text-faint">{words.asked(Math.round(view.tookMs), view.hosts.length)}</span>
            <Button size="sm" variant="quiet" onPress={() => void refetch()}>
              {words.askAgain}
            </Button>
          </div>
        ) : null}
      </div>
      <div className="flex flex-1 gap-3 max-lg:flex-col lg:min-h-0">
        {/* In a narrow window the drawer scrolls, so the list needs its own height. */}
        <div className="flex min-w-0 flex-1 flex-col max-lg:h-96 max-lg:flex-none lg:min-h-0">
          <ExplainTable
            view={view}
            failure={error ? <LoadFailure error={error} what={words.explainFailed} refetch={refetch} /> : null}
            filter={props.filter}
            onFilter={props.onFilter}
            picked={props.picked}
            onPick={props.onPick}
          />
        </div>
        <HostDetailPanel input={input} host={props.picked} view={view} />
      </div>
    </div>
  )
}
