'use client'
import { Ellipsis } from 'lucide-react'
import type { CatalogEntry, CatalogKind, CatalogValues } from '@/server/api/catalog/router'
import { ListTable } from '../console/list/ListTable'
import { useWholeList, type WholeList } from '../console/list/list'
import { Button, IconButton } from '../ui/Button'
import { Menu } from '../ui/overlay/Menu'
import type { Column } from '../ui/table/column'
import type { CatalogEdit } from './edit'
import { kindWords, catalogWords as words } from './words'

interface Props<Kind extends CatalogKind> {
  readonly kind: Kind
  readonly rows: readonly CatalogEntry<CatalogValues[Kind]>[]
  readonly columns: readonly Column<CatalogEntry<CatalogValues[Kind]>>[]
  readonly list: WholeList<CatalogEntry<CatalogValues[Kind]>>
  /** Why changes are not allowed; null if they are. */
  readonly disabledReason: string | null
  readonly onEdit: (editing: CatalogEdit) => void
}

type AnyEntry = CatalogEntry<{ readonly name: string }>
const rowKey = ({ value }: AnyEntry) => value.name

export function CatalogTable<Kind extends CatalogKind>({
  kind,
  rows,
  columns,
  list: by,
  disabledReason,
  onEdit,
}: Props<Kind>) {
  const list = useWholeList(rows, by)
  const edit = (entry: CatalogEntry<CatalogValues[Kind]>, does: CatalogEdit['does']) =>
    onEdit({ kind, entry, does } as unknown as CatalogEdit)
  const actions: Column<CatalogEntry<CatalogValues[Kind]>> = {
    id: 'actions',
    head: words.actions,
    width: 72,
    fixed: true,
    sortable: false,
    cell: (entry) => (
      <Menu
        label={words.actionsOn(entry.value.name)}
        trigger={
          <IconButton label={words.actionsOn(entry.value.name)} className="size-6">
            <Ellipsis size={14} aria-hidden="true" />
          </IconButton>
        }
        entries={[
          { id: 'set', label: words.change, disabledReason, onAction: () => edit(entry, 'set') },
          {
            id: 'delete',
            label: words.remove,
            danger: true,
            disabledReason: disabledReason ?? (entry.uses > 0 ? words.used(entry.uses) : null),
            onAction: () => edit(entry, 'delete'),
          },
        ]}
      />
    ),
  }
  return (
    <ListTable
      fill
      label={words.tabs[kind === 'flavor' ? 'flavors' : kind === 'group' ? 'groups' : 'aliases']}
      columns={[...columns, actions]}
      rowKey={rowKey}
      rowName={rowKey}
      list={list}
      words={words}
      beside={<CreateButton kind={kind} why={disabledReason} onEdit={onEdit} />}
    />
  )
}

/** Creates an entry of the kind shown. */
function CreateButton(props: {
  readonly kind: CatalogEdit['kind']
  readonly why: string | null
  readonly onEdit: (editing: CatalogEdit) => void
}) {
  const { kind, why, onEdit } = props
  return (
    <Button
      variant={why ? 'plain' : 'primary'}
      disabledReason={why}
      onPress={() => onEdit({ kind, entry: null, does: 'set' })}
    >
      {kindWords[kind].create}
    </Button>
  )
}
