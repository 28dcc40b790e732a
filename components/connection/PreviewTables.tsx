import type { HostPreview, PreviewDomain, PreviewNode } from '@/server/api/connection/connections'
import { mib } from '../ui/format'
import { Unknown } from '../ui/KeyValue'
import { Note } from '../ui/Message'
import { Panel, SectionTitle } from '../ui/Panel'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { uiWords } from '../ui/words'
import { connectionWords as words } from './words'

const { heads } = words

const MEMORY: Column<Pick<PreviewNode, 'memoryMib'>> = {
  id: 'memory',
  head: heads.memory,
  width: 96,
  align: 'end',
  value: (row) => row.memoryMib,
  exportUnit: 'mib',
  cell: (row) => mib(row.memoryMib),
}

const NODES: readonly Column<PreviewNode>[] = [
  { id: 'node', head: heads.node, width: 96, value: (row) => row.id, fixed: true },
  { id: 'cpus', head: heads.cpus, value: (row) => row.cpus },
  { id: 'threads', head: heads.threads, width: 126, align: 'end', value: (row) => row.threads },
  MEMORY,
  {
    id: 'pages',
    head: heads.pages,
    minWidth: 220,
    value: ({ pages }) => uiWords.list(pages.map(({ size, total, free }) => words.pages(size, total, free))),
  },
]

type PreviewDevice = HostPreview['devices'][number]

const DEVICES: readonly Column<PreviewDevice>[] = [
  { id: 'unit', head: heads.unit, value: (row) => row.unit, fixed: true },
  {
    id: 'node',
    head: heads.node,
    width: 110,
    value: (row) => row.node,
    cell: (row) => (row.node === null ? <Unknown /> : row.node),
  },
]

const pinsOf = ({ pins, vcpus }: PreviewDomain) =>
  pins.length === 0 ? words.floating(vcpus) : uiWords.list(pins.map(words.pin))

const DOMAINS: readonly Column<PreviewDomain>[] = [
  { id: 'domain', head: heads.domain, value: (row) => row.name, fixed: true, minWidth: 160 },
  { id: 'state', head: heads.state, width: 130, value: ({ state, reason }) => words.state(state, reason) },
  { id: 'pins', head: heads.pins, minWidth: 140, value: pinsOf },
  MEMORY,
  { id: 'nodes', head: heads.memoryNodes, width: 104, value: (row) => row.memoryNodes || null },
  { id: 'pages', head: heads.pages, width: 100, value: ({ pages }) => uiWords.list(pages) || null },
  { id: 'attached', head: heads.attached, width: 130, value: ({ devices }) => uiWords.list(devices) || null },
]

/** The host that would be added, as the daemon reports it. */
export function PreviewTables({ preview }: { preview: HostPreview }) {
  const { nodes, devices, domains, overCommitted, issues } = preview
  const title = (text: string) => <SectionTitle>{text}</SectionTitle>
  return (
    <Panel title={words.sections.preview} detail={words.cpu(preview.cpu)}>
      <div className="flex flex-col gap-3">
        {overCommitted.length > 0 ? (
          <Note tone="warn" shape="triangle">
            <p className="m-0 font-medium">{words.overCommittedTitle}</p>
            {overCommitted.map(({ unit, domains: holders }) => (
              <p key={unit} className="m-0">
                {words.overCommitted(unit, holders)}
              </p>
            ))}
          </Note>
        ) : null}
        {issues.length > 0 ? (
          <Note tone="idle" shape="diamond">
            <p className="m-0 font-medium">{words.findings}</p>
            {issues.map((issue) => (
              <p key={`${issue.where} ${issue.what}`} className="m-0">
                {words.issue(issue)}
              </p>
            ))}
          </Note>
        ) : null}
        <Table
          label={words.nodes}
          columns={NODES}
          rows={nodes}
          rowKey={(row) => `${row.id}`}
          filters={title(words.nodes)}
        />
        {devices.length === 0 ? (
          <Nothing title={words.devices} says={words.noDevices} />
        ) : (
          <Table
            label={words.devices}
            columns={DEVICES}
            rows={devices}
            rowKey={(row) => row.unit}
            filters={title(words.devices)}
          />
        )}
        {domains.length === 0 ? (
          <Nothing title={words.domains} says={words.noDomains} />
        ) : (
          <>
            <Table
              label={words.domains}
              columns={DOMAINS}
              rows={domains}
              rowKey={(row) => row.name}
              filters={title(words.domains)}
            />
            <p className="m-0 text-xs text-soft">{words.domainsHelp}</p>
          </>
        )}
      </div>
    </Panel>
  )
}

/** States that nothing was reported; an empty table could also mean that nothing was read. */
function Nothing({ title, says }: { title: string; says: string }) {
  return (
    <div className="flex flex-col gap-1">
      <SectionTitle>{title}</SectionTitle>
      <p className="m-0 text-sm text-soft">{says}</p>
    </div>
  )
}
