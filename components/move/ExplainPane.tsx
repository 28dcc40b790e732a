'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ExplainView, HostVerdict } from '@/server/api/explain/verdicts'
import type { ApiInputs } from '@/server/api/router'
import { heldText } from '../claim/words'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { Button } from '../ui/Button'
import { TextLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { SidePanel } from '../ui/Panel'
import { ExplainTable } from './ExplainTable'
import { VerdictFacts } from './VerdictFacts'
import { moveWords as words } from './words'

export function useExplain(input: ApiInputs['move']['explain'] | null) {
  const trpc = useTRPC()
  return useQuery(
    trpc.move.explain.queryOptions(input ?? ({} as ApiInputs['move']['explain']), {
      enabled: input !== null,
      staleTime: 5_000,
      placeholderData: keepPreviousData,
    }),
  )
}

/** The same question on the page that has room for the whole answer. */
function explainHref(input: ApiInputs['move']['explain']): string {
  const { for: _for, ...question } = input
  return paths.explain(question)
}

export interface ExplainPaneProps {
  readonly input: ApiInputs['move']['explain'] | null
  readonly query: { readonly data: ExplainView | undefined; readonly error: unknown; readonly refetch: () => unknown }
  /** Said while the question is not complete. */
  readonly missing: string
  readonly filter: HostVerdict['verdict'] | null
  readonly onFilter: (filter: HostVerdict['verdict'] | null) => void
  readonly picked: string | null
  readonly onPick: (host: string) => void
}

/** Every host's verdict on the left, one host in full on the right. */
export function ExplainPane(props: ExplainPaneProps) {
  const { input, query } = props
  if (!input) return <p className="m-0 py-6 text-soft">{props.missing}</p>
  return (
    <Loaded query={query} what={words.explainFailed} minHeight={400} pending={words.asking}>
      {(view) => (
        <div className="flex min-h-0 flex-1 flex-col gap-2">
          {view.permit.ok ? null : (
            <Note tone="warn" shape="triangle">
              {view.permit.why}
            </Note>
          )}
          <div className="flex flex-wrap items-center gap-x-4 text-sm text-soft">
            {words.needs(heldText(view.demand))}
            <TextLink href={explainHref(input)}>{words.whyNot}</TextLink>
            <span className="text-xs text-faint">{words.asked(Math.round(view.tookMs), view.hosts.length)}</span>
            <Button size="sm" look="quiet" onPress={() => void query.refetch()}>
              {words.askAgain}
            </Button>
          </div>
          <div className="flex min-h-0 flex-1 gap-3 max-lg:flex-col">
            <ExplainTable
              view={view}
              filter={props.filter}
              onFilter={props.onFilter}
              picked={props.picked}
              onPick={props.onPick}
            />
            <HostDetailPanel input={input} host={props.picked} />
          </div>
        </div>
      )}
    </Loaded>
  )
}

/** What one host says in full: the claim it would make, or every rule that refuses. */
function HostDetailPanel({ input, host }: { input: ApiInputs['move']['explain']; host: string | null }) {
  return (
    <SidePanel label={words.detail}>
      {host ? <Plan input={input} host={host} /> : <p className="m-0 text-soft">{words.pickHost}</p>}
    </SidePanel>
  )
}

function Plan({ input, host }: { input: ApiInputs['move']['explain']; host: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.move.plan.queryOptions({ ...input, host }, { staleTime: 0 }))
  return (
    <Loaded query={query} what={words.detail}>
      {({ verdict, mapping, silence }) => <VerdictFacts verdict={verdict} mapping={mapping} silence={silence} />}
    </Loaded>
  )
}
