import type { ProbeReport, ProbeStepReport } from '@/server/api/connection/connections'
import { StateBadge } from '../ui/Badge'
import { probeLooks, probeStepWords, connectionWords as words } from './words'

/** Each step with its time, what was learned, or what to do. */
export function ProbeSteps({ report }: { report: ProbeReport | null }) {
  return (
    <div className="flex flex-col gap-2 text-sm" aria-live="polite">
      {report === null ? <p className="m-0 text-soft">{words.probing}</p> : null}
      <ol className="m-0 flex list-none flex-col gap-1.5 p-0">
        {report?.steps.map((step) => (
          <Step key={step.step} step={step} />
        ))}
      </ol>
      {report?.preview ? (
        <div className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-3 max-sm:grid-cols-1">
          <StateBadge look={{ shape: 'unknown', tone: 'warn', label: words.unknown }} />
          <ul className="m-0 flex list-none flex-col gap-0.5 p-0 text-soft">
            {report.unknown.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      ) : null}
    </div>
  )
}

function Step({ step: { step, state, ms, says, next } }: { step: ProbeStepReport }) {
  const look = probeLooks[state]
  return (
    <li className="grid grid-cols-[9rem_minmax(0,1fr)_4.5rem] items-baseline gap-x-3 max-sm:grid-cols-[minmax(0,1fr)_4.5rem]">
      <StateBadge look={{ ...look, label: probeStepWords[step] }} />
      <span className="min-w-0 break-words max-sm:order-last max-sm:col-span-2">
        <span className={says ? undefined : 'text-faint'}>{says ?? look.label}</span>
        {next ? <span className="block text-soft">{words.todo(next)}</span> : null}
      </span>
      <span className="text-right text-xs text-faint tabular-nums">{ms === null ? null : words.took(ms)}</span>
    </li>
  )
}
