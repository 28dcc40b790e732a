import type { MigrationRef } from '@/server/api/claim/view'
import type { Ref } from '@/server/api/names/names'
import { operationWords, stepBadges } from '../step/words'
import { StateBadge } from '../ui/Badge'
import { dash } from '../ui/dash'
import { TextLink } from '../ui/Link'
import type { Column } from '../ui/table/column'
import { uiWords } from '../ui/words'
import { paths } from './paths'

// Names of objects as links, the same everywhere.

interface HostLinkProps {
  readonly host: Ref | null
  readonly none?: string
  /** Links from a past page to the host at the same time (ms). */
  readonly at?: number
}

export const HostLink = ({ host, none = '–', at }: HostLinkProps) =>
  host ? (
    <TextLink href={paths.host(host.id, { at: at === undefined ? undefined : new Date(at).toISOString() })}>
      {host.name}
    </TextLink>
  ) : (
    <span className="text-faint">{none}</span>
  )

export const InstanceLink = ({ instance }: { instance: Ref }) => (
  <TextLink href={paths.instance(instance.id)}>{instance.name}</TextLink>
)

type NameContent<Row> = Required<Pick<Column<Row>, 'value' | 'exportId' | 'cell'>>

const nameContent = <Row,>(of: (row: Row) => Ref | null): Omit<NameContent<Row>, 'cell'> => ({
  value: (row) => of(row)?.name ?? null,
  exportId: (row) => of(row)?.id ?? null,
})

/** Cells and exported values of a column of hosts. */
export const hostContent = <Row,>(
  of: (row: Row) => Ref | null,
  link: Omit<HostLinkProps, 'host'> = {},
): NameContent<Row> => ({
  ...nameContent(of),
  cell: (row) => <HostLink {...link} host={of(row)} />,
})

/** The same for a column of instances. */
export const instanceContent = <Row,>(of: (row: Row) => Ref | null): NameContent<Row> => ({
  ...nameContent(of),
  cell: (row) => {
    const instance = of(row)
    return instance ? <InstanceLink instance={instance} /> : dash
  },
})

/** The link's text, for export. */
export const migrationLabel = (migration: MigrationRef | null): string | null =>
  migration && uiWords.both(operationWords[migration.operation].noun, stepBadges[migration.step].label)

/** A migration in one cell: its operation and progress. */
export function MigrationLink({ migration }: { migration: MigrationRef | null }) {
  if (!migration) return dash
  return (
    <span className="flex items-center gap-2">
      <TextLink href={paths.migration(migration.id)}>{operationWords[migration.operation].noun}</TextLink>
      <StateBadge badge={stepBadges[migration.step]} className="text-xs" />
    </span>
  )
}

export const HealPlanLink = ({ id }: { id: string }) => (
  <TextLink href={paths.healPlan(id)} className="font-mono text-xs">
    {shortId(id)}
  </TextLink>
)

/** Fits a table cell: the first part of an id is enough to distinguish ids. */
export const shortId = (id: string) => id.slice(0, 8)
