import type { HostDetail, ProviderView } from '@/server/api/host/view'
import { amountText } from '../claim/amount/words'
import { PowerRule } from '../power/PowerRule'
import { powerWords } from '../power/words'
import { SharedStorageFact } from '../storage/SharedStorageFact'
import { storageWords } from '../storage/words'
import { KeyValue } from '../ui/KeyValue'
import { Panel, SectionTitle } from '../ui/Panel'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { RelativeTime } from '../ui/time/Clock'
import { uiWords } from '../ui/words'
import { FaultPanel } from './fault/FaultPanel'
import { MemoryPolicyFact, ordinaryText } from './memory/MemoryPolicyFact'
import { hostWords } from './words'

const words = hostWords.facts

export function HostFacts({ host }: { host: HostDetail }) {
  return (
    <div className="flex flex-col gap-3">
      <Panel title={words.title}>
        <KeyValue
          columns={2}
          facts={[
            { key: words.cpu, value: host.cpu.model || undefined, needs: hostWords.never },
            { key: words.vendor, value: uiWords.both(host.cpu.vendor, host.cpu.arch) },
            { key: words.driver, value: host.driver },
            { key: words.layout, value: host.layout },
            { key: storageWords.key, value: <SharedStorageFact host={host} /> },
            { key: words.memoryPolicy, value: <MemoryPolicyFact host={host} /> },
            { key: words.ordinary, value: ordinaryText(host), needs: hostWords.never },
            {
              key: words.seen,
              value: host.lastSeenAt === null ? undefined : <RelativeTime at={host.lastSeenAt} />,
              needs: hostWords.never,
            },
            { key: words.reason, value: host.reason ?? '–' },
            { key: powerWords.returned.rule, value: <PowerRule host={host} /> },
            {
              key: words.features,
              value: <span className="font-mono text-xs text-soft">{host.cpu.features.join(' ') || '–'}</span>,
            },
          ]}
        />
      </Panel>
      <Providers providers={host.providers} />
      {host.simulator ? <FaultPanel host={host} simulator={host.simulator} /> : null}
    </div>
  )
}

type InventoryRow = ProviderView['inventories'][number] & { readonly provider: ProviderView }

const columns: readonly Column<InventoryRow>[] = [
  {
    id: 'provider',
    head: words.provider,
    value: (row) => row.provider.name,
    cell: ({ provider }) => (
      <span className={provider.parent ? 'pl-4' : 'font-medium'}>
        {provider.name}
        <span className="text-faint">
          {provider.cell === null ? null : ' '}
          {provider.cell === null ? null : words.cell(provider.cell)}
          {provider.sharing ? ' ' : null}
          {provider.sharing ? words.sharing : null}
        </span>
      </span>
    ),
  },
  {
    id: 'class',
    head: words.resourceClass,
    width: 240,
    value: (row) => row.resourceClass,
    cell: (row) => <span className="font-mono text-xs">{row.resourceClass}</span>,
  },
  ...(['used', 'reserved', 'total', 'capacity'] as const).map(
    (id): Column<InventoryRow> => ({
      id,
      head: words[id],
      width: 110,
      align: 'end',
      value: (row) => row[id],
      cell: (row) => amountText(row.resourceClass, row[id]),
    }),
  ),
  {
    id: 'ratio',
    head: words.ratio,
    width: 80,
    align: 'end',
    value: (row) => row.allocationRatioMilli / 1000,
  },
  {
    id: 'generation',
    head: words.generation,
    width: 100,
    align: 'end',
    value: (row) => row.provider.generation,
  },
  {
    id: 'traits',
    head: words.traits,
    hidden: true,
    value: (row) => row.provider.traits.join(' '),
    cell: (row) => <span className="font-mono text-xs">{row.provider.traits.join(' ')}</span>,
  },
]

const rowKey = (row: InventoryRow) => `${row.provider.id} ${row.resourceClass}`

function Providers({ providers }: { providers: readonly ProviderView[] }) {
  const rows = providers.flatMap((provider) => provider.inventories.map((inventory) => ({ ...inventory, provider })))
  const title = <SectionTitle>{words.providers}</SectionTitle>
  return <Table label={words.providers} columns={columns} rows={rows} rowKey={rowKey} filters={title} />
}
