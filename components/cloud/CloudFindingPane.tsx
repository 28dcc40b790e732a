'use client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CloudOutcomeView } from '@/server/api/cloud/clouds'
import type { CloudFindingDetail } from '@/server/api/cloud/view'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { severityLooks } from '../finding/kind/words'
import { StateBadge } from '../ui/Badge'
import { Button } from '../ui/Button'
import { Copyable } from '../ui/Copyable'
import { Note } from '../ui/Message'
import { PanelPart, SidePanel } from '../ui/Panel'
import { ApplyRepair } from './ApplyRepair'
import { CloudCalls } from './CloudCalls'
import { CloudOutcomes } from './CloudOutcomes'
import { ScriptButton } from './CloudPlan'
import { cloudWords as words } from './words'

interface Props {
  readonly cloud: string
  readonly finding: string
  readonly mayAct: boolean
  readonly onClose: () => void
}

/** Evidence, age, cause and proposed repair of a finding; the repair's results outlast the finding. */
export function CloudFindingPane({ cloud, finding, mayAct, onClose }: Props) {
  const trpc = useTRPC()
  const [applied, setApplied] = useState<RepairResult | null>(null)
  const query = useQuery(trpc.cloud.finding.queryOptions({ id: cloud, finding }))
  return (
    <SidePanel opened label={words.repair}>
      <Loaded query={query} what={words.tabs.findings} minHeight={300}>
        {(found) => {
          const subject = found ?? applied?.to
          return (
            <div className="flex flex-col gap-3">
              <div className="flex items-start gap-2">
                {found === null ? null : <StateBadge look={severityLooks[found.severity]} />}
                <span className="ml-auto">
                  <Button size="sm" onPress={onClose}>
                    {words.close}
                  </Button>
                </span>
              </div>
              {subject ? <Subject of={subject} /> : null}
              {applied ? <CloudOutcomes outcomes={applied.outcomes} /> : null}
              {found === null ? (
                <p className="m-0 text-soft">{applied ? words.noLongerReported : words.goneFinding}</p>
              ) : (
                <Finding
                  cloud={cloud}
                  mayAct={mayAct}
                  finding={found}
                  onApplied={(outcomes) => setApplied({ outcomes, to: found })}
                />
              )}
            </div>
          )
        }}
      </Loaded>
    </SidePanel>
  )
}

type SubjectFacts = Pick<CloudFindingDetail, 'title' | 'objectName' | 'objectId'>

/** The results of a repair, with the finding that it repaired: a successful repair removes the finding. */
interface RepairResult {
  readonly outcomes: readonly CloudOutcomeView[]
  readonly to: SubjectFacts
}

const Subject = ({ of: { title, objectName, objectId } }: { of: SubjectFacts }) => (
  <div className="flex flex-col items-start gap-1">
    <h2 className="m-0 text-base font-semibold">{title}</h2>
    <p className="m-0 flex flex-wrap items-center gap-2 text-sm text-soft">
      {objectName}
      <Copyable text={objectId} short={objectId.slice(0, 8)} />
    </p>
  </div>
)

interface FindingProps extends Pick<Props, 'cloud' | 'mayAct'> {
  readonly finding: CloudFindingDetail
  readonly onApplied: (outcomes: readonly CloudOutcomeView[]) => void
}

function Finding({ cloud, mayAct, finding, onApplied }: FindingProps) {
  const { cause, evidence, locked, repair, instead } = finding
  return (
    <>
      <PanelPart title={words.cause}>
        <p className="m-0 text-sm">{cause}</p>
      </PanelPart>
      <PanelPart title={words.evidence}>
        <ul className="m-0 flex list-none flex-col gap-1.5 p-0 text-sm">
          {evidence.map(({ source, says, at }) => (
            <li key={`${source} ${says}`}>
              <span className="font-medium">{words.witnesses[source]}</span>{' '}
              <span className="text-2xs text-faint tabular-nums">{words.moment(at)}</span>
              <span className="block break-words">{says}</span>
            </li>
          ))}
        </ul>
      </PanelPart>
      <PanelPart title={words.repair}>
        {locked === null ? null : (
          <Note tone="flow" shape="half">
            {words.lockedWhy(locked)}
          </Note>
        )}
        {repair.kind === 'none' ? (
          <p className="m-0 text-sm">{locked === null ? repair.reason : null}</p>
        ) : (
          <div className="flex flex-col items-start gap-2">
            <Lines title={words.before} lines={repair.before} />
            <Lines title={words.after} lines={repair.after} />
            <CloudCalls calls={repair.calls} />
            <ScriptButton cloud={cloud} findings={[finding.id]} />
            <ApplyRepair
              cloud={cloud}
              mayAct={mayAct}
              finding={finding.id}
              calls={repair.calls}
              print={repair.print}
              onApplied={onApplied}
            />
          </div>
        )}
      </PanelPart>
      <PanelPart title={words.instead}>
        <p className="m-0 text-sm">{instead}</p>
      </PanelPart>
    </>
  )
}

const Lines = ({ title, lines }: { title: string; lines: readonly string[] }) => (
  <div className="text-sm">
    <span className="text-xs text-soft">{title}</span>
    {lines.map((line) => (
      <p key={line} className="m-0 break-words">
        {line}
      </p>
    ))}
  </div>
)
