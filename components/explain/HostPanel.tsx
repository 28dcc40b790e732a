'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FixStep, FixView, WhyHostView, WhyInput } from '@/server/api/contract-look'
import { MappingTable } from '../claim/MappingTable'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { verdictLooks } from '../move/words'
import { RefusalList } from '../refusal/RefusalList'
import { Badge } from '../ui/Badge'
import { TextLink } from '../ui/Link'
import { fixText, stepText, explainWords as words } from './words'

/** One host in full: the fix that would do, every rule that refuses, or the claim it would make. */
export function HostPanel({ input, host }: { input: WhyInput; host: string | null }) {
  return (
    <aside
      aria-label={words.detail}
      className="flex min-h-0 w-[400px] shrink-0 flex-col overflow-auto rounded-lg border border-line bg-surface p-3 max-lg:w-full"
    >
      {host ? <Host input={input} host={host} /> : <p className="m-0 text-soft">{words.pick}</p>}
    </aside>
  )
}

function Host({ input, host }: { input: WhyInput; host: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.why.host.queryOptions({ ...input, host }, { staleTime: 0, retry: false }))
  return (
    <Loaded query={query} what={words.detail}>
      {(view) => <HostFacts view={view} />}
    </Loaded>
  )
}

function HostFacts({ view: { verdict, fix, mapping } }: { view: WhyHostView }) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-2">
        <span className="font-medium">
          <HostLink host={verdict.host} />
        </span>
        <Badge look={verdictLooks[verdict.verdict]} />
      </div>
      {fix ? (
        <Part title={words.fix}>
          <Fix fix={fix} />
        </Part>
      ) : null}
      {verdict.refusals.length > 0 ? (
        <Part title={words.refusals}>
          <RefusalList refusals={verdict.refusals} />
        </Part>
      ) : null}
      {verdict.warnings.length > 0 ? (
        <Part title={words.warnings}>
          <RefusalList refusals={verdict.warnings} tone="warn" />
        </Part>
      ) : null}
      {mapping ? (
        <Part title={words.mapping}>
          <MappingTable compact mapping={mapping} />
        </Part>
      ) : null}
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="m-0 pb-1 text-xs font-medium text-soft">{title}</h2>
      {children}
    </div>
  )
}

function Fix({ fix }: { fix: FixView }) {
  if (fix.is !== 'found') return <p className="m-0 text-sm text-soft">{fixText(fix)}</p>
  return (
    <>
      <ol className="m-0 flex list-decimal flex-col gap-0.5 pl-5 text-sm">
        {fix.steps.map((step) => (
          <li key={stepText(step)}>
            <Step step={step} />
          </li>
        ))}
      </ol>
      <p className="m-0 pt-1 text-xs text-faint">{words.proof}</p>
    </>
  )
}

/** A step that is about a guest leads to where it can be done. */
function Step({ step }: { step: FixStep }) {
  if (step.do === 'move-away') {
    return <TextLink href={paths.startMove(step.instance.id, 'live-migrate')}>{stepText(step)}</TextLink>
  }
  if (step.do === 'end-move') return <TextLink href={paths.migration(step.migration)}>{stepText(step)}</TextLink>
  return stepText(step)
}
