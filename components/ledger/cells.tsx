import type { LedgerRow } from '@/server/api/ledger/router'
import { actorText } from '../console/actors'
import { paths } from '../console/paths'
import { kindText } from '../event/words'
import { kindWords } from '../finding/kind/words'
import { ConsumerType, consumerTypeText, swapText } from '../provider/ConsumerType'
import { operationWords } from '../step/words'
import { Tag } from '../ui/Badge'
import { dash } from '../ui/dash'
import { ranges } from '../ui/format'
import { TextLink } from '../ui/Link'
import { uiWords } from '../ui/words'
import { ledgerWords } from './words'

export const writerText = ({ wrote }: LedgerRow) =>
  wrote ? uiWords.labelled(actorText(wrote.who), kindText(wrote.kind)) : ''
/** Held on a tree that a Placement API client manages: it has no record in Berth and needs none. */
const isManagedElsewhere = ({ claim, host }: LedgerRow) => claim === null && host === null

export const marksOf = (row: LedgerRow) => [
  ...(row.claim === null ? [isManagedElsewhere(row) ? ledgerWords.elsewhere : ledgerWords.noClaim] : []),
  ...new Set(row.findings.map(({ kind }) => kindWords[kind])),
]

/** The cell's text, for export: the name, and the kind unless it is an instance. */
export function consumerText({ consumer: { kind, name, type, swap } }: LedgerRow): string {
  if (kind === 'instance') return name
  return uiWords.both(name, kind === 'migration' ? ledgerWords.kinds.migration : consumerTypeText({ type, swap }))
}

/** `live migration, target`: the migration it belongs to, and its side. */
export function migrationText({ migration, consumer: { swap } }: LedgerRow): string {
  if (migration === null) return swap ? swapText(swap) : ''
  return uiWords.list([operationWords[migration.operation].noun, migration.side && ledgerWords.sides[migration.side]])
}

export function Migration({ row }: { row: LedgerRow }) {
  if (row.migration === null) return row.consumer.swap ? migrationText(row) : dash
  return <TextLink href={paths.migration(row.migration.id)}>{migrationText(row)}</TextLink>
}

const CPU = 'cpu:'

/** `CPUs 2-5, 0000:3b:02.1`: pinned CPUs as ranges, then each device by address. */
export function unitsText({ units }: LedgerRow): string {
  const cpus = units.flatMap((name) => (name.startsWith(CPU) ? [Number(name.slice(CPU.length))] : []))
  const devices = units.filter((name) => !name.startsWith(CPU)).map((name) => name.slice(name.indexOf(':') + 1))
  return uiWords.list([cpus.length > 0 ? ledgerWords.cpus(ranges(cpus)) : null, ...devices])
}

export function Consumer({ row: { consumer } }: { row: LedgerRow }) {
  const { kind, id, name } = consumer
  if (kind === 'other') {
    return (
      <span className="flex items-center gap-1.5">
        <span className="font-mono text-xs">{name}</span>
        <ConsumerType type={consumer.type} swap={consumer.swap} />
      </span>
    )
  }
  return (
    <span className="flex items-center gap-1.5">
      <TextLink href={kind === 'instance' ? paths.instance(id) : paths.migration(id)}>{name}</TextLink>
      {kind === 'migration' ? <Tag tone="twice">{ledgerWords.kinds.migration}</Tag> : null}
    </span>
  )
}

/** For a tree without a Berth host, a link to the tree. */
export function Provider({ row }: { row: LedgerRow }) {
  const { name, root } = row.provider
  if (!isManagedElsewhere(row) || root === null) return name
  return <TextLink href={paths.provider(root)}>{name}</TextLink>
}

export function Marks({ row }: { row: LedgerRow }) {
  const marks = marksOf(row)
  const [finding] = row.findings
  if (marks.length === 0) return dash
  const text = uiWords.list(marks)
  return finding ? (
    <TextLink href={paths.heal({ finding: finding.id })}>{text}</TextLink>
  ) : (
    <span className={isManagedElsewhere(row) ? 'text-soft' : 'text-warn'}>{text}</span>
  )
}
