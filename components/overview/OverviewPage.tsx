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
import { Heatmap } from './Heatmap'
import type { Shade } from './heat'
import { MovesNow } from './MovesNow'
import { overviewWords as words } from './words'

const SHADES = ['cpus', 'memoryMib'] as const satisfies readonly Shade[]

export function OverviewPage() {
  const trpc = useTRPC()
  const query = useQuery(trpc.overview.get.queryOptions())
  const facts = query.data ? words.fleetFacts(query.data.hostCount, query.data.instanceCount) : words.counting
  return (
    <>
      <PageHead title={words.title} facts={facts} />
      <Loaded query={query} what={words.title} minHeight={600}>
        {(view) => (
          <div className="grid items-start gap-3 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <div className="flex min-w-0 flex-col gap-3">
              <Attention view={view} />
              <Moves view={view} />
            </div>
            <div className="flex min-w-0 flex-col gap-3">
              <Fleet view={view} />
              <Panel title={words.capacity} flush>
                <CapacityTable rows={view.capacity} />
              </Panel>
            </div>
          </div>
        )}
      </Loaded>
    </>
  )
}

function Attention({ view: { attention } }: { view: OverviewView }) {
  return (
    <Panel
      title={words.attention}
      aside={attention.length > 0 ? <Tag tone="warn">{attention.length}</Tag> : null}
      flush
    >
      <AttentionList items={attention} />
    </Panel>
  )
}

function Moves({ view }: { view: OverviewView }) {
  const { flight, queued, waiting } = view.moveCounts
  const aside = (
    <>
      {words.counts(flight, queued, waiting)}
      <TextLink href={paths.migrations()}>{words.allMoves}</TextLink>
    </>
  )
  return (
    <Panel title={words.moves} aside={aside} flush>
      <MovesNow moves={view.moves} />
    </Panel>
  )
}

function Fleet({ view }: { view: OverviewView }) {
  const [shade, setShade] = useChoice('shade', SHADES)
  const choices = SHADES.map((id) => ({ id, label: words.shades[id] }))
  return (
    <Panel
      title={words.fleet}
      aside={<ToggleGroup label={words.shade} value={shade ?? 'cpus'} onChange={setShade} choices={choices} />}
    >
      <Heatmap hosts={view.hosts} shade={shade ?? 'cpus'} />
    </Panel>
  )
}
