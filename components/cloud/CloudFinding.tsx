import type { CloudOutcomeView } from '@/server/api/cloud/clouds'
import type { CloudFindingDetail } from '@/server/api/cloud/view'
import { Note } from '../ui/Message'
import { PanelPart } from '../ui/Panel'
import { ApplyRepair } from './ApplyRepair'
import { CloudCalls } from './CloudCalls'
import { ScriptButton } from './CloudPlan'
import { cloudWords as words } from './words'

interface Props {
  readonly cloud: string
  readonly mayAct: boolean
  readonly finding: CloudFindingDetail
  readonly onApplied: (outcomes: readonly CloudOutcomeView[]) => void
}

/** Cause, what each witness says, the proposed repair, and what to do in its place. */
export function CloudFinding({ cloud, mayAct, finding, onApplied }: Props) {
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
              <span className="text-2xs text-faint tabular-nums">{words.time(at)}</span>
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
