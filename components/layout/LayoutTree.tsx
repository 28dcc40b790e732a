import { useMemo } from 'react'
import type { TreeNode } from '@/server/api/layout/view'
import { amountText } from '../claim/words'
import { Tag } from '../ui/Badge'
import { cx } from '../ui/cx'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { layoutWords, nodeWords } from './words'

const words = layoutWords.host

interface TreeRow {
  readonly key: string
  /** Without the root's own name, which every child begins with. */
  readonly name: string
  readonly node: TreeNode
  readonly depth: number
  /** The first inventory of a provider carries its name. */
  readonly first: boolean
  readonly inventory: TreeNode['inventories'][number] | null
}

/** A tree as rows, parents before children, one row per inventory. */
export function rowsOf(node: TreeNode, depth = 0, root = node.name): readonly TreeRow[] {
  const own: readonly (TreeNode['inventories'][number] | null)[] =
    node.inventories.length > 0 ? node.inventories : [null]
  return [
    ...own.map((inventory, index) => ({
      key: `${node.name} ${inventory?.resourceClass ?? ''}`,
      name: shownName(node.name, depth > 0 ? `${root}_` : ''),
      node,
      depth,
      first: index === 0,
      inventory,
    })),
    ...node.children.flatMap((child) => rowsOf(child, depth + 1, root)),
  ]
}

/** As libvirt names a PCI device; users know it by its address. */
const NODEDEV = /^pci_([0-9a-f]{4})_([0-9a-f]{2})_([0-9a-f]{2})_([0-9a-f])$/i

const shownName = (name: string, rooted: string) =>
  (name.startsWith(rooted) ? name.slice(rooted.length) : name).replace(NODEDEV, '$1:$2:$3.$4')

const amount = (id: 'total' | 'reserved' | 'used'): Column<TreeRow> => ({
  id,
  head: words.treeColumns[id],
  width: id === 'reserved' ? 72 : 78,
  align: 'end',
  cell: ({ inventory }) =>
    inventory === null ? null : (
      <span className={cx(inventory[id] === 0 && 'text-faint')}>
        {amountText(inventory.resourceClass, inventory[id])}
      </span>
    ),
})

const columnsFor = (rows: readonly TreeRow[]): readonly Column<TreeRow>[] => [
  {
    id: 'node',
    head: words.treeColumns.node,
    fixed: true,
    minWidth: nodeWidth(rows),
    cell: ({ node, name, depth, first }) =>
      first ? (
        <span className="flex min-w-0 items-center gap-1.5" style={{ paddingLeft: depth * INDENT }}>
          <Tag>{nodeWords[node.is]}</Tag>
          <span className="truncate" title={node.name}>
            {name}
          </span>
        </span>
      ) : (
        <span className="sr-only">{node.name}</span>
      ),
  },
  {
    id: 'class',
    head: words.treeColumns.resourceClass,
    width: classWidth(rows),
    cell: ({ inventory }) => (
      <span className="font-mono text-xs" title={inventory?.resourceClass}>
        {inventory?.resourceClass}
      </span>
    ),
  },
  amount('total'),
  amount('reserved'),
  amount('used'),
]

const INDENT = 8 // pixels a generation
const LETTER = 7.3 // pixels of a letter, a wide one in the names
const TAG = 26 // pixels around the word of a tag, and to the name
const PADDING = 16 // pixels of a cell
const AMOUNTS = 240 // pixels of the three columns of figures

const widest = (rows: readonly TreeRow[], of: (row: TreeRow) => number) => Math.ceil(Math.max(...rows.map(of)))
const classWidth = (rows: readonly TreeRow[]) =>
  widest(rows, ({ inventory }) => (inventory?.resourceClass.length ?? 0) * LETTER) + PADDING
const nodeWidth = (rows: readonly TreeRow[]) =>
  widest(rows, ({ depth, node, name }) => depth * INDENT + TAG + (nodeWords[node.is].length + name.length) * LETTER)

/** Pixels in which every name of a tree can be read whole. */
export function neededWidth(tree: TreeNode): number {
  const rows = rowsOf(tree)
  return nodeWidth(rows) + classWidth(rows) + AMOUNTS
}

const rowKey = (row: TreeRow) => row.key

/** A host's providers with what each has: the same rows before and after, so that one can lay them side by side. */
export function LayoutTree({ when, tree }: { when: string; tree: TreeNode }) {
  const rows = useMemo(() => rowsOf(tree), [tree])
  const columns = useMemo(() => columnsFor(rows), [rows])
  return <Table bare label={words.tree(when)} columns={columns} rows={rows} rowKey={rowKey} />
}
