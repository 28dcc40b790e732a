'use client'
import { useQuery } from '@tanstack/react-query'
import { FINDING_LIST } from '@/lists/finding'
import type { FindingDetail } from '@/server/api/finding/router'
import { claimTotalsText } from '../claim/amount/words'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { HealPlanLink, HostLink, InstanceLink, shortId } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { ReleaseAllocation } from '../consumer/ReleaseAllocation'
import { healBadges } from '../heal/words'
import { LeftoverActions } from '../power/LeftoverActions'
import { Badge, StateBadge } from '../ui/Badge'
import { KeyValue } from '../ui/KeyValue'
import { ButtonLink, TextLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { RelativeTime } from '../ui/time/Clock'
import { uiWords } from '../ui/words'
import { detailWords, severityMeans } from './detail/words'
import { Evidence } from './Evidence'
import { healDisabledReason } from './HealCell'
import { kindWords, severityBadges } from './kind/words'
import { PlanHealButton } from './PlanHealButton'
import { confidenceWords, findingWords as words } from './words'

/** One finding with everything known about it. */
export function OpenedFinding({ id }: { id: string }) {
  const trpc = useTRPC()
  const finding = useQuery(trpc.finding.byId.queryOptions({ id }))
  return (
    <Loaded query={finding} what={words.one}>
      {(detail) => <Detail finding={detail} />}
    </Loaded>
  )
}

function Detail({ finding }: { finding: FindingDetail }) {
  const why = healDisabledReason(finding)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-3">
        <h3 className="m-0 text-lg font-semibold">{kindWords[finding.kind]}</h3>
        <Badge badge={severityBadges[finding.severity]} detail={severityMeans[finding.severity]} />
      </div>
      <Facts finding={finding} />
      {why ? (
        <Note tone={finding.locked === null ? 'idle' : 'warn'} shape={finding.locked === null ? 'dash' : 'pause'}>
          <strong className="font-medium">{finding.locked === null ? words.noHeal : words.locked}</strong>: {why}
        </Note>
      ) : null}
      <div className="flex flex-wrap items-start gap-2">
        <PlanHealButton findings={[finding.id]} disabledReason={why} label={words.plan} />
        <LeftoverActions finding={finding} />
        <ButtonLink href={paths.runbook(finding.runbook)}>{words.runbook}</ButtonLink>
      </div>
      {finding.foreign ? <ReleaseAllocation consumer={finding.foreign} /> : null}
      <section className="flex flex-col gap-1.5">
        <h4 className="m-0 text-xs font-medium text-soft">{detailWords.evidence}</h4>
        <Evidence label={detailWords.evidence} facts={finding.evidence} />
      </section>
      <Plans finding={finding} />
    </div>
  )
}

function Facts({ finding }: { finding: FindingDetail }) {
  const head = FINDING_LIST.columns
  const { confidence } = finding
  return (
    <KeyValue
      facts={[
        { key: head.expected.head, value: finding.expected },
        { key: head.found.head, value: finding.found },
        { key: head.where.head, value: finding.where ?? '–' },
        { key: head.host.head, value: <HostLink host={finding.host} /> },
        { key: head.instance.head, value: finding.instance ? <InstanceLink instance={finding.instance} /> : '–' },
        {
          key: head.migration.head,
          value: finding.migration ? (
            <TextLink href={paths.migration(finding.migration, { tab: 'adviser' })}>
              {finding.instance?.name ?? shortId(finding.migration)}
            </TextLink>
          ) : (
            '–'
          ),
        },
        { key: head.held.head, value: finding.held ? claimTotalsText(finding.held) : '–' },
        {
          key: head.confidence.head,
          value: uiWords.labelled(confidenceWords[confidence].label, confidenceWords[confidence].means),
        },
        { key: head.first.head, value: <RelativeTime at={finding.firstSeenAt} /> },
        { key: head.last.head, value: <RelativeTime at={finding.lastSeenAt} /> },
      ]}
    />
  )
}

function Plans({ finding }: { finding: FindingDetail }) {
  return (
    <section className="flex flex-col gap-1">
      <h4 className="m-0 text-xs font-medium text-soft">{detailWords.plansOf}</h4>
      {finding.plans.length === 0 ? <p className="m-0 text-sm text-soft">{detailWords.noPlans}</p> : null}
      <ul className="m-0 flex list-none flex-col p-0 text-sm">
        {finding.plans.map((plan) => (
          <li key={plan.id} className="flex min-h-6 items-center gap-3">
            <HealPlanLink id={plan.id} />
            <StateBadge badge={healBadges[plan.state]} />
            <span className="text-xs text-faint">
              <RelativeTime at={plan.at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
