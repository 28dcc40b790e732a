'use client'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { MigrationDetail } from '@/server/api/migration/detail'
import { Loaded } from '../console/Failure'
import type { MigrationTab } from '../console/paths'
import { HostLink, InstanceLink } from '../console/refs'
import { useTRPC } from '../console/trpc'
import { useTab } from '../console/url'
import { KindBadge } from '../host/KindTag'
import { Stepper } from '../step/Stepper'
import { operationWords, stepBadges } from '../step/words'
import { Badge } from '../ui/Badge'
import { Copyable } from '../ui/Copyable'
import { Glyph } from '../ui/Glyph'
import { PageHead } from '../ui/Panel'
import { Tabs } from '../ui/Tabs'
import { Elapsed } from '../ui/time/Clock'
import { uiWords } from '../ui/words'
import { MigrationNotes } from './MigrationNotes'
import { OverdueBadge } from './Pace'
import { ActionButtons } from './requested-action/ActionButtons'
import { StatusLine } from './StatusLine'
import { TimelineTab } from './tab/TimelineTab'
import { ClaimsTab, FactsTab, MappingTable, RawTab, TransferTab } from './tab/tabs'
import { isParked, outcomeBadges, parkedBadge, postCopyBadge, migrationWords as words } from './words'

const TABS = [
  'timeline',
  'mapping',
  'claims',
  'transfer',
  'facts',
  'adviser',
  'findings',
  'events',
  'raw',
] as const satisfies readonly MigrationTab[]

/** Passed in by the page: views of other nouns, narrowed to this migration. */
export interface MigrationPageProps {
  readonly id: string
  readonly adviser: ReactNode
  readonly findings: ReactNode
  readonly events: ReactNode
  readonly actions: ReactNode
}

export function MigrationPage({ id, ...parts }: MigrationPageProps) {
  const trpc = useTRPC()
  const query = useQuery(trpc.migration.byId.queryOptions({ id }))
  return (
    <Loaded page query={query} what={words.one} minHeight={600}>
      {(migration) => <LoadedMigration migration={migration} {...parts} />}
    </Loaded>
  )
}

function LoadedMigration({
  migration,
  adviser,
  findings,
  events,
  actions,
}: { migration: MigrationDetail } & Omit<MigrationPageProps, 'id'>) {
  const [tab, setTab] = useTab(TABS, 'timeline')
  const content: Readonly<Record<MigrationTab, ReactNode>> = {
    timeline: <TimelineTab migration={migration} />,
    mapping: <MappingTable mapping={migration.mapping} />,
    claims: <ClaimsTab migration={migration} />,
    transfer: <TransferTab migration={migration} />,
    facts: <FactsTab id={migration.id} />,
    adviser,
    findings,
    events,
    raw: <RawTab migration={migration} />,
  }
  return (
    <>
      <PageHead
        title={uiWords.labelled(migration.instance.name, operationWords[migration.operation].noun)}
        state={
          migration.outcome ? (
            <Badge badge={outcomeBadges[migration.outcome]} />
          ) : (
            <>
              <Badge badge={stepBadges[migration.step]} detail={<Elapsed from={migration.stepSince} />} />
              {isParked(migration) ? <Badge badge={parkedBadge} /> : null}
              <OverdueBadge migration={migration} />
              {migration.progress?.postCopy ? <Badge badge={postCopyBadge} /> : null}
            </>
          )
        }
        facts={<HeadFacts migration={migration} />}
        actions={
          <>
            <ActionButtons migration={migration} />
            {actions}
          </>
        }
      />
      <div className="flex flex-col gap-2 pb-3">
        <Stepper migration={migration} />
        <StatusLine migration={migration} />
        <MigrationNotes migration={migration} />
      </div>
      <Tabs
        label={words.one}
        open={tab}
        onOpen={setTab}
        items={TABS.map((id) => ({ id, label: words.tabs[id], content: content[id] }))}
      />
    </>
  )
}

const Arrow = () => <Glyph shape="arrow" className="mx-0.5 inline text-faint" />

function HeadFacts({ migration }: { migration: MigrationDetail }) {
  const same = migration.source !== null && migration.source.id === migration.target?.id
  return (
    <>
      {migration.source ? <KindBadge host={migration.source.id} /> : null}
      <InstanceLink instance={migration.instance} />
      <span>
        <HostLink host={migration.source} none={words.nowhere} /> <Arrow />{' '}
        {same ? words.sameHost : <HostLink host={migration.target} none={words.anyHost} />}
      </span>
      {migration.oldFlavor.name === migration.newFlavor.name ? null : (
        <span>
          {migration.oldFlavor.name} <Arrow /> {migration.newFlavor.name}
        </span>
      )}
      {migration.oldImage.name === migration.newImage.name ? null : (
        <span>
          {migration.oldImage.name} <Arrow /> {migration.newImage.name}
        </span>
      )}
      {migration.storage ? <span>{words.storage(migration.storage, migration.storageUsed)}</span> : null}
      <span>
        <Elapsed from={migration.startedAt} to={migration.endedAt} />
      </span>
      <span>
        {words.startedBy} {migration.startedBy}
      </span>
      <Copyable text={migration.id} short={migration.id.slice(0, 8)} />
    </>
  )
}
