import type { ProbeStepReport } from '@/server/api/connection/connections'
import { ActionFailure } from '../console/Failure'
import { StateBadge } from '../ui/Badge'
import { Button } from '../ui/Button'
import { Panel } from '../ui/Panel'
import { probeBadges, connectionWords as words } from './words'

interface ShownStep extends Omit<ProbeStepReport, 'step'> {
  readonly label: string
}

interface Props {
  /** Null before the first report. */
  readonly steps: readonly ShownStep[] | null
  /** What will remain unknown; null while probing. */
  readonly unknown: readonly string[] | null
}

interface ProbePanelProps extends Props {
  readonly words: Readonly<Record<'again' | 'cancel' | 'change' | 'notProbed', string>> & {
    readonly sections: { readonly probe: string }
  }
  readonly address: string | undefined
  readonly isRunning: boolean
  readonly error: unknown
  readonly onAgain: () => void
  readonly onCancel: () => void
}

/** A probe as it runs: its steps or why there are none, and buttons to repeat, cancel or change it. */
export function ProbePanel({ words: texts, address, isRunning, error, onAgain, onCancel, ...steps }: ProbePanelProps) {
  return (
    <Panel
      title={texts.sections.probe}
      detail={address}
      aside={
        <>
          {isRunning ? null : (
            <Button size="sm" onPress={onAgain}>
              {texts.again}
            </Button>
          )}
          <Button size="sm" onPress={onCancel}>
            {isRunning ? texts.cancel : texts.change}
          </Button>
        </>
      }
    >
      {error ? <ActionFailure error={error} what={texts.notProbed} /> : <ProbeSteps {...steps} />}
    </Panel>
  )
}

/** Each step with its duration and its result or remedy. */
export function ProbeSteps({ steps, unknown }: Props) {
  return (
    <div className="flex flex-col gap-2 text-sm" aria-live="polite">
      {steps === null ? <p className="m-0 text-soft">{words.probing}</p> : null}
      <ol className="m-0 flex list-none flex-col gap-1.5 p-0">
        {steps?.map((step) => (
          <Step key={step.label} step={step} />
        ))}
      </ol>
      {unknown && unknown.length > 0 ? (
        <div className="grid grid-cols-[12rem_minmax(0,1fr)] gap-x-3 max-sm:grid-cols-1">
          <StateBadge badge={{ shape: 'unknown', tone: 'warn', label: words.unknown }} />
          <ul className="m-0 flex list-none flex-col gap-0.5 p-0 text-soft">
            {unknown.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  )
}

function Step({ step: { label, state, ms, says, next } }: { step: ShownStep }) {
  const badge = probeBadges[state]
  return (
    <li className="grid grid-cols-[12rem_minmax(0,1fr)_4.5rem] items-baseline gap-x-3 max-sm:grid-cols-[minmax(0,1fr)_4.5rem]">
      <StateBadge badge={{ ...badge, label }} className="whitespace-normal" />
      <span className="min-w-0 break-words max-sm:order-last max-sm:col-span-2">
        <span className={says ? undefined : 'text-faint'}>{says ?? badge.label}</span>
        {next ? <span className="block text-soft">{words.todo(next.replace(/\.$/, ''))}</span> : null}
      </span>
      <span className="text-right text-xs text-faint tabular-nums">{ms === null ? null : words.took(ms)}</span>
    </li>
  )
}
