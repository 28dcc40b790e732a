'use client'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import type { ExplainView } from '@/server/api/explain/router'
import type { FunnelStep } from '@/server/engine/explain/funnel'
import { Pending } from '../console/Failure'
import { refusalTitles } from '../refusal/words'
import { cx } from '../ui/cx'
import { count } from '../ui/format'
import { Panel } from '../ui/Panel'
import { PictureToggle, type PictureView } from '../ui/PictureOrTable'
import { ROW_HEIGHT } from '../ui/table/column'
import { explainWords as words } from './words'

// Loaded when it is selected.
const FunnelTable = dynamic(() => import('./FunnelTable').then((code) => code.FunnelTable), {
  loading: () => <Pending minHeight={4 * ROW_HEIGHT} />,
})

interface FunnelProps {
  readonly view: ExplainView
  /** The rule by which the matrix is filtered. */
  readonly rule: string | null
  readonly onRule: (rule: string | null) => void
}

/** How many hosts each rule leaves, as bars and as a table. */
export function FunnelPanel(props: FunnelProps) {
  const [as, setAs] = useState<PictureView>('picture')
  return (
    <Panel
      title={words.funnel}
      aside={<PictureToggle label={words.funnelView} view={as} onView={setAs} />}
      flush={as === 'table'}
    >
      {as === 'picture' ? <Bars {...props} /> : <FunnelTable funnel={props.view.funnel} />}
    </Panel>
  )
}

function Bars({ view, rule, onRule }: FunnelProps) {
  const { hosts, ok, warning } = view.counts
  return (
    <ol className="m-0 flex list-none flex-col gap-px p-0 text-sm">
      <li className={line}>
        <span className="text-soft">{words.start}</span>
        <Bar left={hosts} of={hosts} />
        <span className="text-right">{count(hosts)}</span>
        <span />
      </li>
      {view.funnel.map((step) => (
        <Step key={step.rule} step={step} of={hosts} picked={rule === step.rule} onRule={onRule} />
      ))}
      <li className={cx(line, 'font-medium')}>
        <span>{words.end}</span>
        <Bar left={ok + warning} of={hosts} taken />
        <span className="text-right">{count(ok + warning)}</span>
        <span />
      </li>
    </ol>
  )
}

const line = 'grid min-h-7 grid-cols-[10rem_minmax(0,1fr)_3rem_3.5rem] items-center gap-2 px-1'

function Step(props: {
  readonly step: FunnelStep
  readonly of: number
  readonly picked: boolean
  readonly onRule: FunnelProps['onRule']
}) {
  const { step, of, picked, onRule } = props
  const title = refusalTitles[step.rule]
  return (
    <li>
      <button
        type="button"
        aria-pressed={picked}
        aria-label={words.funnelRow(title, step.refused, step.left)}
        onClick={() => onRule(picked ? null : step.rule)}
        className={cx(line, 'w-full cursor-default rounded-sm text-left hover:bg-hover', picked && 'bg-accent-wash')}
      >
        <span className="truncate" title={title}>
          {title}
        </span>
        <Bar left={step.left} of={of} out={step.refused} />
        <span className="text-right">{count(step.left)}</span>
        <span className="text-right text-bad">−{count(step.refused)}</span>
      </button>
    </li>
  )
}

/** Hosts left, and, hatched, those that this rule removed. */
function Bar({ left, of, out = 0, taken }: { left: number; of: number; out?: number; taken?: boolean }) {
  const part = (hosts: number) => `${of === 0 ? 0 : (100 * hosts) / of}%`
  return (
    <span aria-hidden="true" className="flex h-3 overflow-hidden rounded-sm bg-sunken">
      <span className={cx('h-full', taken ? 'bg-ok' : 'bg-map-held')} style={{ width: part(left) }} />
      <span className="stripes-outgoing h-full" style={{ width: part(out) }} />
    </span>
  )
}
