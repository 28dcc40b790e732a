'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { CloudOutcomeView } from '@/server/api/cloud/clouds'
import type { CloudFindingDetail } from '@/server/api/cloud/view'
import { Loaded } from '../console/Failure'
import { useTRPC } from '../console/trpc'
import { severityBadges } from '../finding/kind/words'
import { StateBadge } from '../ui/Badge'
import { Button } from '../ui/Button'
import { Copyable } from '../ui/Copyable'
import { SidePanel } from '../ui/Panel'
import { CloudFinding } from './CloudFinding'
import { CloudOutcomes } from './CloudOutcomes'
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
          const isOld = found !== null && applied !== null && isOfBefore(found, applied)
          return (
            <div className="flex flex-col gap-3">
              <div className="flex items-start gap-2">
                {found === null || isOld ? null : <StateBadge badge={severityBadges[found.severity]} />}
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
                <BeforeRepair isOld={isOld}>
                  <CloudFinding
                    cloud={cloud}
                    mayAct={mayAct}
                    finding={found}
                    onApplied={(outcomes) => setApplied({ outcomes, to: found })}
                  />
                </BeforeRepair>
              )}
            </div>
          )
        }}
      </Loaded>
    </SidePanel>
  )
}

type SubjectFacts = Pick<CloudFindingDetail, 'title' | 'objectName' | 'objectId' | 'evidence'>

/** All calls of the repair were sent and the cloud was not read since, so the finding shows the state before it. */
const isOfBefore = ({ evidence }: CloudFindingDetail, { outcomes, to }: RepairResult): boolean =>
  outcomes.every(({ did }) => did === 'sent') && JSON.stringify(evidence) === JSON.stringify(to.evidence)

function BeforeRepair({ isOld, children }: { isOld: boolean; children: ReactNode }) {
  if (!isOld) return children
  return (
    <>
      <p className="m-0 text-sm text-soft">{words.awaitsRead}</p>
      <details className="text-sm">
        <summary className="cursor-default text-soft">{words.beforeRepair}</summary>
        <div className="flex flex-col gap-3 pt-2">{children}</div>
      </details>
    </>
  )
}

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
