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
import { operationWords, stepLooks } from '../step/words'
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
import { isParked, outcomeLooks, parkedLook, postCopyLook, migrationWords as words } from './words'

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
      {(move) => <LoadedMigration move={move} {...parts} />}
    </Loaded>
  )
}

function LoadedMigration({
  move,
  adviser,
  findings,
  events,
  actions,
}: { move: MigrationDetail } & Omit<MigrationPageProps, 'id'>) {
  const [tab, setTab] = useTab(TABS, 'timeline')
  const content: Readonly<Record<MigrationTab, ReactNode>> = {
    timeline: <TimelineTab move={move} />,
    mapping: <MappingTable mapping={move.mapping} />,
    claims: <ClaimsTab move={move} />,
    transfer: <TransferTab move={move} />,
    facts: <FactsTab id={move.id} />,
    adviser,
    findings,
    events,
    raw: <RawTab move={move} />,
  }
  return (
    <>
      <PageHead
        title={uiWords.labelled(move.instance.name, operationWords[move.operation].noun)}
        state={
          move.outcome ? (
            <Badge look={outcomeLooks[move.outcome]} />
          ) : (
            <>
              <Badge look={stepLooks[move.step]} detail={<Elapsed from={move.stepSince} />} />
              {isParked(move) ? <Badge look={parkedLook} /> : null}
              <OverdueBadge move={move} />
              {move.progress?.postCopy ? <Badge look={postCopyLook} /> : null}
            </>
          )
        }
        facts={<HeadFacts move={move} />}
        actions={
          <>
            <ActionButtons move={move} />
            {actions}
          </>
        }
      />
      <div className="flex flex-col gap-2 pb-3">
        <Stepper move={move} />
        <StatusLine move={move} />
        <MigrationNotes move={move} />
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

function HeadFacts({ move }: { move: MigrationDetail }) {
  const same = move.source !== null && move.source.id === move.target?.id
  return (
    <>
      {move.source ? <KindBadge host={move.source.id} /> : null}
      <InstanceLink instance={move.instance} />
      <span>
        <HostLink host={move.source} none={words.nowhere} /> <Arrow />{' '}
        {same ? words.sameHost : <HostLink host={move.target} none={words.anyHost} />}
      </span>
      {move.oldFlavor.name === move.newFlavor.name ? null : (
        <span>
          {move.oldFlavor.name} <Arrow /> {move.newFlavor.name}
        </span>
      )}
      {move.oldImage.name === move.newImage.name ? null : (
        <span>
          {move.oldImage.name} <Arrow /> {move.newImage.name}
        </span>
      )}
      {move.storage ? <span>{words.storage(move.storage, move.storageUsed)}</span> : null}
      <span>
        <Elapsed from={move.startedAt} to={move.endedAt} />
      </span>
      <span>
        {words.startedBy} {move.startedBy}
      </span>
      <Copyable text={move.id} short={move.id.slice(0, 8)} />
    </>
  )
}
