'use client'
import { useQuery } from '@tanstack/react-query'
import { INSTANCE_LIST } from '@/lists/instance'
import type { InstanceDetail } from '@/server/api/instance/router'
import { paths } from '../console/paths'
import { HostLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { StateBadge } from '../ui/Badge'
import { mib } from '../ui/format'
import { type Fact, KeyValue } from '../ui/KeyValue'
import { TextLink } from '../ui/Link'
import { RelativeTime } from '../ui/time/Clock'
import { uiWords } from '../ui/words'
import { InstancePlace } from './InstancePlace'
import { instanceWords as words } from './words'

/** The instance and its location, above all its tabs: links to its parts, and its place on the map. */
export function InstanceSummary({ instance }: { instance: InstanceDetail }) {
  return (
    <div className="grid items-start gap-3 pb-3 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <section
        aria-label={words.summary}
        className="flex min-w-0 flex-col gap-2 rounded-lg border border-line bg-surface p-3"
      >
        <KeyValue columns={2} facts={factsOf(instance)} />
        <Findings id={instance.id} />
      </section>
      <div className="flex min-w-0 flex-col gap-3 empty:hidden">
        {instance.claims.map((claim) => (
          <InstancePlace key={claim.id} claim={claim} />
        ))}
      </div>
    </div>
  )
}

function factsOf(instance: InstanceDetail): readonly Fact[] {
  const { columns } = INSTANCE_LIST
  const { flavor, group, groupPolicy, host, id, image, name, project, zone } = instance
  return [
    { key: columns.host.head, value: <HostLink host={host} none={words.nowhere} /> },
    { key: columns.zone.head, value: zone ?? words.facts.none },
    // No driver reports them yet, and an empty field would mean that there are none.
    { key: words.addresses, value: <span className="text-faint italic">{words.addressesUnknown}</span> },
    {
      key: columns.flavor.head,
      value: (
        <>
          <TextLink href={paths.catalog({ tab: 'flavors' })}>{flavor.name}</TextLink>{' '}
          <span className="text-soft">{words.size(flavor.vcpus, mib(flavor.memoryMib))}</span>
        </>
      ),
    },
    { key: columns.image.head, value: image },
    {
      key: columns.group.head,
      value: group ? (
        <TextLink href={paths.catalog({ tab: 'groups' })}>{uiWords.list([group.name, groupPolicy])}</TextLink>
      ) : (
        words.facts.none
      ),
    },
    { key: columns.project.head, value: project },
    // An imported instance is older; how old, nothing tells.
    { key: words.recordedSince, value: <RelativeTime happened at={instance.recordedAt} /> },
    {
      key: words.more,
      value: (
        <span className="flex flex-wrap gap-x-3 gap-y-1">
          <TextLink href={paths.claims({ q: `consumer:${name}` })}>{words.allocations}</TextLink>
          <TextLink href={paths.explain({ instance: id, operation: 'live-migrate' })}>{words.explain}</TextLink>
        </span>
      ),
    },
  ]
}

/** A badge for its findings, linked to all of them. Renders nothing without findings. */
function Findings({ id }: { id: string }) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.finding.list.queryOptions({ instance: id, limit: 1 }))
  if (!data || data.total === 0) return null
  return (
    <p className="m-0 text-sm">
      <TextLink href={paths.instance(id, { tab: 'findings' })}>
        <StateBadge badge={{ ...words.wrong, label: words.findingCount(data.total) }} />
      </TextLink>
    </p>
  )
}
