'use client'
import { useQuery } from '@tanstack/react-query'
import type { FixStep, FixView } from '@/server/api/explain/fix'
import type { ApiInputs } from '@/server/api/router'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { VerdictFacts } from '../migrate/VerdictFacts'
import { TextLink } from '../ui/Link'
import { PanelPart, SidePanel } from '../ui/Panel'
import { fixText, stepText, explainWords as words } from './words'

/** One host in full: its nearest fix, every rule that refuses, or the claim it would make. */
export function HostPanel({ input, host }: { input: ApiInputs['explain']['get']; host: string }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.explain.host.queryOptions({ ...input, host }, { staleTime: 0, retry: false }))
  return (
    <SidePanel narrow opened label={words.detail}>
      <Loaded query={query} what={words.detail}>
        {({ verdict, fix, mapping, silence }) => (
          <VerdictFacts verdict={verdict} mapping={mapping} silence={silence}>
            {fix ? (
              <PanelPart title={words.fix}>
                <Fix fix={fix} />
              </PanelPart>
            ) : null}
          </VerdictFacts>
        )}
      </Loaded>
    </SidePanel>
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

/** A step about an instance links to where it can be done. */
function Step({ step }: { step: FixStep }) {
  if (step.do === 'move-away') {
    return <TextLink href={paths.startMigration(step.instance.id, 'live-migrate')}>{stepText(step)}</TextLink>
  }
  if (step.do === 'end-move') return <TextLink href={paths.migration(step.migration)}>{stepText(step)}</TextLink>
  return stepText(step)
}
