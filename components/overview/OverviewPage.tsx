'use client'
import { useQuery } from '@tanstack/react-query'
import type { OverviewView } from '@/server/api/contract-moves'
import { Loaded } from '../console/Failure'
import { paths } from '../console/paths'
import { useTRPC } from '../console/trpc'
import { useChoice } from '../console/url'
import { Tag } from '../ui/Badge'
import { TextLink } from '../ui/Link'
import { PageHead, Panel } from '../ui/Panel'
import { ToggleGroup } from '../ui/ToggleGroup'
import { AttentionList } from './AttentionList'
import { CapacityTable } from './CapacityTable'
import { Heatmap, type Shade } from './Heatmap'
import { MovesNow } from './MovesNow'
import { overviewWords as words } from './words'

const SHADES = ['cpus', 'memoryMib'] as const satisfies readonly Shade[]

export function OverviewPage() {
  const trpc = useTRPC()
  const query = useQuery(trpc.overview.get.queryOptions())
  return (
    <>
      <PageHead
        title={words.title}
        facts={query.data ? words.fleetFacts(query.data.hostCount, query.data.instanceCount) : null}
      />
      <Loaded query={query} what={words.title} minHeight={600}>
        {(view) => <Overview view={view} />}
      </Loaded>
    </>
  )
}

function Overview({ view }: { view: OverviewView }) {
  const [shade, setShade] = useChoice('shade', SHADES)
  const { flight, queued, waiting } = view.moveCounts
  return (
    <div className="grid items-start gap-3 xl:grid-cols-2">
      <Panel
        title={words.attention}
        aside={view.attention.length > 0 ? <Tag tone="warn">{view.attention.length}</Tag> : null}
        flush
      >
        <AttentionList items={view.attention} />
      </Panel>
      <Panel
        title={words.fleet}
        aside={
          <ToggleGroup
            label={words.shade}
            value={shade ?? 'cpus'}
            onChange={setShade}
            choices={SHADES.map((id) => ({ id, label: words.shades[id] }))}
          />
        }
      >
        <Heatmap hosts={view.hosts} shade={shade ?? 'cpus'} />
      </Panel>
      <Panel
        title={words.moves}
        aside={
          <>
            {words.counts(flight, queued, waiting)}
            <TextLink href={paths.migrations()}>{words.allMoves}</TextLink>
          </>
        }
        flush
      >
        <MovesNow moves={view.moves} />
      </Panel>
      <Panel title={words.capacity} flush>
        <CapacityTable rows={view.capacity} />
      </Panel>
    </div>
  )
}
