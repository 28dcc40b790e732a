import type { ReactNode } from 'react'
import type { Advice, AdviceView, ProofView } from '@/server/api/advice/router'
import { HostLink } from '../console/refs'
import { Evidence } from '../finding/Evidence'
import { StateBadge } from '../ui/Badge'
import { cx } from '../ui/cx'
import { Unknown } from '../ui/KeyValue'
import { Note } from '../ui/Message'
import { Panel } from '../ui/Panel'
import { Elapsed, RelativeTime } from '../ui/time/Clock'
import { actionWords, proofWords, verdictBadges, adviceWords as words } from './words'

export interface AdviceListProps {
  readonly advice: AdviceView
  /** Link to the action's dialog or page; null if the action needs no click. */
  readonly control: (advice: Advice) => ReactNode
}

/** Every action with its verdict and supporting facts (N8). Safe actions come first. */
export function AdviceList({ advice, control }: AdviceListProps) {
  const order = { safe: 0, attested: 1, unknown: 2, unsafe: 3, impossible: 4 } as const
  const sorted = [...advice.actions].sort((a, b) => order[a.verdict] - order[b.verdict])
  const shared = sharedFacts(sorted)
  return (
    <div className="flex flex-col gap-3">
      {advice.stuck ? (
        <Note tone="bad" shape="triangle">
          <strong className="font-medium">{words.stuck}</strong>: {advice.stuck.why}
          <Since at={advice.stuck.since} />
        </Note>
      ) : (
        <Note tone="idle" shape="ring">
          {words.notStuck}
        </Note>
      )}
      <Panel title={words.title} flush>
        {shared.length > 0 ? (
          <div className="border-b border-line/60 px-3 py-2">
            <Facts label={words.shared} facts={shared} isNumbered />
          </div>
        ) : null}
        <ul aria-label={words.title} className="m-0 list-none p-0">
          {sorted.map((action) => (
            <Action key={action.action} advice={action} shared={shared} control={control(action)} />
          ))}
        </ul>
      </Panel>
      {advice.facts.length > 0 ? (
        <>
          <h2 className="m-0 text-sm font-semibold">{words.facts}</h2>
          <Evidence label={words.facts} facts={advice.facts} />
        </>
      ) : null}
    </div>
  )
}

/** Renders nothing if the verdict never changed: the reason for being stuck covers that case. */
function Since({ at }: { at: number | null }) {
  if (at === null) return null
  return (
    <>
      , {words.lasting} <Elapsed from={at} />
    </>
  )
}

interface ActionProps {
  readonly advice: Advice
  readonly shared: readonly ProofView[]
  readonly control: ReactNode
}

function Action({ advice, shared, control }: ActionProps) {
  const keys = shared.map(keyOf)
  const numbers = keys.flatMap((key, n) => (advice.proof.some((fact) => keyOf(fact) === key) ? [n + 1] : []))
  const own = advice.proof.filter((fact) => !keys.includes(keyOf(fact)))
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start sm:grid-cols-[7rem_minmax(0,1fr)_auto] gap-x-3 border-b border-line/60 px-3 py-2 text-sm last:border-0">
      <StateBadge badge={verdictBadges[advice.verdict]} className="min-h-7" />
      <div className="flex min-w-0 flex-col gap-0.5 max-sm:order-last max-sm:col-span-2">
        <span className="flex min-h-7 items-center">
          <span>
            <strong className="font-medium">{actionWords[advice.action]}.</strong> {advice.because}
          </span>
        </span>
        {numbers.length > 0 ? <p className="m-0 text-xs text-soft">{words.sharedProof(numbers)}</p> : null}
        {own.length > 0 ? <Facts label={words.proof} facts={own} /> : null}
        {advice.proof.length === 0 ? <p className="m-0 text-xs text-faint">{words.noProof}</p> : null}
        {advice.needs.length > 0 ? <p className="m-0 text-xs text-soft">{words.needs(advice.needs)}</p> : null}
      </div>
      {control}
    </li>
  )
}

const keyOf = ({ source, host, says }: ProofView) => `${source} ${host?.id} ${says}`

/** Evidence for more than one action: said once, and named by its number. */
function sharedFacts(actions: readonly Advice[]): readonly ProofView[] {
  const all = actions.flatMap(({ proof }) => proof)
  return all.filter((fact, n) => {
    const isSame = (other: ProofView) => keyOf(other) === keyOf(fact)
    return all.findIndex(isSame) === n && all.findLastIndex(isSame) > n
  })
}

/** Facts read from the tables at request time have no age. */
const TABLES: ReadonlySet<ProofView['source']> = new Set(['records', 'allocations'])

interface FactsProps {
  readonly label: string
  readonly facts: readonly ProofView[]
  readonly isNumbered?: boolean
}

function Facts({ label, facts, isNumbered = false }: FactsProps) {
  return (
    <ol aria-label={label} className="m-0 flex list-none flex-col p-0 text-xs text-soft">
      {facts.map((fact, n) => (
        <li key={keyOf(fact)} className="flex min-h-6 items-baseline gap-x-2">
          {isNumbered ? <span className="w-4 shrink-0 text-ink tabular-nums">{n + 1}</span> : null}
          <span className={cx('w-20 shrink-0', fact.source === 'person' ? 'text-warn' : 'text-faint')}>
            {proofWords[fact.source]}
          </span>
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            {fact.host ? <HostLink host={fact.host} /> : null}
            <span className="text-ink">{fact.says}</span>
            {TABLES.has(fact.source) ? null : (
              <span className="text-faint">
                {fact.at === null ? <Unknown /> : <RelativeTime happened at={fact.at} />}
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}
