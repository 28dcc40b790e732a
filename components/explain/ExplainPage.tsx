'use client'
import dynamic from 'next/dynamic'
import type { ExplainView } from '@/server/api/explain/router'
import type { ApiInputs } from '@/server/api/router'
import { claimTotalsText } from '../claim/amount/words'
import { Loaded, Pending } from '../console/Failure'
import { useFilterText } from '../console/url'
import { summaryText, unfixableText } from '../refusal/summary'
import { Button } from '../ui/Button'
import { onlyValue, withOnly } from '../ui/filter/terms'
import { EmptyState, Note } from '../ui/Message'
import { SidePanel } from '../ui/Panel'
import { type Question, useQuestion } from './address'
import { useAnswer, useTrees } from './answer'
import { FunnelPanel } from './FunnelPanel'
import { LargestPanel } from './LargestPanel'
import { MatrixTable } from './MatrixTable'
import { QuestionForm } from './QuestionForm'
import { inputOf } from './question'
import { explainWords as words } from './words'

// Loaded when a host is picked, and if Nova manages a tree.
const HostPanel = dynamic(() => import('./HostPanel').then((code) => code.HostPanel), {
  loading: () => (
    <SidePanel narrow opened label={words.detail}>
      <Pending />
    </SidePanel>
  ),
})
const TreesPanel = dynamic(() => import('./TreesPanel').then((code) => code.TreesPanel), {
  loading: () => null,
})
/** Kept free until its rows arrive: beside the other panels it is as high as they are, below them it has its own height. */
const TREES_SPACE = 'h-64 xl:h-0 xl:min-h-full'

export function ExplainPage() {
  const question = useQuestion()
  const input = inputOf(question)
  const answer = useAnswer(input)
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <QuestionForm question={question} />
      {input ? (
        <Answer question={question} input={input} {...answer} />
      ) : (
        <EmptyState title={words.choose}>{words.chooseMore}</EmptyState>
      )}
    </div>
  )
}

interface AnswerProps extends ReturnType<typeof useAnswer> {
  readonly question: Question
  readonly input: ApiInputs['explain']['get']
}

function Answer({ question, input, query, nearest }: AnswerProps) {
  // The funnel and the matrix's filter share one selection.
  const [text, setText] = useFilterText()
  const rule = onlyValue(text, 'rule')
  const trees = useTrees(input)
  return (
    <Loaded query={query} what={words.what} minHeight={500} pending={words.asking}>
      {(view) => (
        <div className="flex min-h-0 flex-1 flex-col gap-3">
          <Summary view={view} onAskAgain={() => void query.refetch()} />
          <div className="grid items-start gap-3 xl:grid-flow-col xl:auto-cols-[minmax(0,4fr)] xl:grid-cols-[minmax(0,5fr)]">
            <FunnelPanel
              view={view}
              rule={rule}
              onRule={(next) => void setText(withOnly(text, 'rule', next) || null)}
            />
            <LargestPanel view={view} query={nearest} />
            {view.hasTrees ? (
              <div className={TREES_SPACE}>
                <TreesPanel query={trees} />
              </div>
            ) : null}
          </div>
          {view.hosts ? (
            <div className="flex min-h-[360px] flex-1 gap-3 max-lg:flex-col">
              <MatrixTable {...{ view, hosts: view.hosts, nearest, question }} />
              {question.host ? <HostPanel input={input} host={question.host} /> : null}
            </div>
          ) : (
            <Note tone="idle" shape="square">
              {words.hidden}
            </Note>
          )}
        </div>
      )}
    </Loaded>
  )
}

function Summary({ view, onAskAgain }: { view: ExplainView; onAskAgain: () => void }) {
  const { hosts, ok, warning, unanswered } = view.counts
  const why = summaryText(view.summary, ok + warning)
  const unfixable = unfixableText(view.summary, ok + warning)
  return (
    <div className="flex flex-col gap-1.5">
      {view.permit.ok ? null : (
        <Note tone="warn" shape="triangle">
          {view.permit.why}
        </Note>
      )}
      <p role="status" className="m-0 text-base">
        <span className="font-semibold">{words.fits(ok + warning, hosts)}</span>{' '}
        {unanswered > 0 ? words.unanswered(unanswered) : null} {why} {unfixable}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm">
        <span className="text-soft">{words.needs(claimTotalsText(view.demand))}</span>
        <span className="text-xs text-faint">{words.asked(hosts, view.tookMs)}</span>
        <Button size="sm" variant="quiet" onPress={onAskAgain}>
          {words.askAgain}
        </Button>
      </div>
    </div>
  )
}
