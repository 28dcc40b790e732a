import type { ReactNode } from 'react'
import type { HostVerdict } from '@/server/api/explain/verdicts'
import type { PlanView } from '@/server/api/migration/start-router'
import { MappingTable } from '../claim/MappingTable'
import { HostLink } from '../console/refs'
import { contactBadges } from '../host/state/words'
import { RefusalList } from '../refusal/RefusalList'
import { shownVerdict, verdictBadges } from '../refusal/words'
import { Badge } from '../ui/Badge'
import { Note } from '../ui/Message'
import { PanelPart } from '../ui/Panel'
import { RelativeTime } from '../ui/time/Clock'
import { storageUsedWords, migrateWords as words } from './words'

/** One host's verdict: fixes, every rule that refuses or warns, and the claim it would make. */
export function VerdictFacts(props: {
  readonly verdict: HostVerdict
  readonly mapping: PlanView['mapping']
  readonly silence: PlanView['silence']
  readonly children?: ReactNode
}) {
  const { verdict, mapping, silence } = props
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-2">
        <span className="font-medium">
          <HostLink host={verdict.host} />
        </span>
        <Badge badge={verdictBadges[shownVerdict({ verdict: verdict.verdict, silence })]} />
      </div>
      {silence ? <Silence since={silence.since} /> : null}
      {verdict.storage ? <p className="m-0 text-soft">{storageUsedWords[verdict.storage]}</p> : null}
      {props.children}
      {verdict.refusals.length > 0 ? (
        <PanelPart title={words.refusals}>
          <RefusalList refusals={verdict.refusals} />
        </PanelPart>
      ) : null}
      {verdict.warnings.length > 0 ? (
        <PanelPart title={words.warnings}>
          <RefusalList refusals={verdict.warnings} tone="warn" />
        </PanelPart>
      ) : null}
      {mapping ? (
        <PanelPart title={words.mapping}>
          <MappingTable compact mapping={mapping} />
        </PanelPart>
      ) : null}
    </div>
  )
}

/** Whether the host is reachable to run the migration. */
function Silence({ since }: { since: number | null }) {
  return (
    <Note tone="warn" shape={contactBadges.silent.shape}>
      {since === null ? words.silentAlways : words.silent} {since === null ? null : <RelativeTime at={since} />}
    </Note>
  )
}
