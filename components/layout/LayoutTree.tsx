import { useMemo } from 'react'
import type { TreeNode } from '@/server/api/layout/view'
import { amountText, shareText } from '../claim/amount/words'
import { Tag } from '../ui/Badge'
import { cx } from '../ui/cx'
import type { Column } from '../ui/table/column'
import { Table } from '../ui/table/Table'
import { layoutWords, nodeWords } from './words'

const words = layoutWords.host

interface TreeRow {
  readonly key: string
  /** Without the root's name, with which every child's name begins. */
  readonly name: string
  readonly node: TreeNode
  readonly depth: number
  /** The first inventory row of a provider shows its name. */
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

/** libvirt's name for a PCI device; users know it by its address. */
const NODEDEV = /^pci_([0-9a-f]{4})_([0-9a-f]{2})_([0-9a-f]{2})_([0-9a-f])$/i

const shownName = (name: string, rooted: string) =>
  (name.startsWith(rooted) ? name.slice(rooted.length) : name).replace(NODEDEV, '$1:$2:$3.$4')

const amount = (id: 'total' | 'reserved'): Column<TreeRow> => ({
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
    fixed: true,
    width: classWidth(rows),
    cell: ({ inventory }) => (
      <span className="font-mono text-xs" title={inventory?.resourceClass}>
        {inventory?.resourceClass}
      </span>
    ),
  },
  {
    id: 'used',
    head: words.treeColumns.used,
    width: USED,
    align: 'end',
    secondLine: 'named',
    // Total and ratio apart would make an overcommitted class look overfull.
    cell: ({ inventory }) =>
      inventory === null ? null : (
        <span className={cx(inventory.used === 0 && 'text-faint', inventory.used > inventory.capacity && 'text-bad')}>
          {shareText(inventory.resourceClass, inventory.used, inventory.capacity)}
        </span>
      ),
  },
  amount('total'),
  {
    id: 'ratio',
    head: words.treeColumns.ratio,
    width: 56,
    align: 'end',
    cell: ({ inventory }) => inventory?.allocationRatio,
  },
  amount('reserved'),
]

const INDENT = 8 // pixels per level
const LETTER = 7.3 // pixels of a wide letter
const TAG = 26 // pixels around a tag's text and before the name
const PADDING = 16 // pixels per cell
const USED = 132 // pixels of “1,020 GiB / 3.9 TiB”
const AMOUNTS = 78 + 72 + 56 + USED // pixels of the columns of numbers

const widest = (rows: readonly TreeRow[], of: (row: TreeRow) => number) => Math.ceil(Math.max(...rows.map(of)))
const classWidth = (rows: readonly TreeRow[]) =>
  widest(rows, ({ inventory }) => (inventory?.resourceClass.length ?? 0) * LETTER) + PADDING
const nodeWidth = (rows: readonly TreeRow[]) =>
  widest(rows, ({ depth, node, name }) => depth * INDENT + TAG + (nodeWords[node.is].length + name.length) * LETTER)

/** Width in pixels at which no name of the tree is cut. */
export function neededWidth(tree: TreeNode): number {
  const rows = rowsOf(tree)
  return nodeWidth(rows) + classWidth(rows) + AMOUNTS
}

const rowKey = (row: TreeRow) => row.key

/** A host's providers with their inventories: the same rows before and after, for comparison side by side. */
export function LayoutTree({ when, tree }: { when: string; tree: TreeNode }) {
  const rows = useMemo(() => rowsOf(tree), [tree])
  const columns = useMemo(() => columnsFor(rows), [rows])
  return <Table bare label={words.tree(when)} columns={columns} rows={rows} rowKey={rowKey} />
}
