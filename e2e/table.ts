import { expect, type Locator } from '@playwright/test'

/** A row as users read it, keyed by column header. */
export type Row = Readonly<Record<string, string | RegExp>>

/**
 * Waits until the table has such a row. A text must be the whole cell or its first words, because a cell often adds
 * details such as how long or since when.
 * @example await expectRow(table, { Instance: 'web-1', Step: 'verify' })
 */
export async function expectRow(table: Locator, row: Row): Promise<void> {
  const cells = Object.entries(row).map(([head, cell]) => [head, expect.stringMatching(patternOf(cell))])
  const wanted = expect.objectContaining(Object.fromEntries(cells))
  await expect.poll(() => readTable(table), { message: sentence(row) }).toContainEqual(wanted)
}

/** All current rows of the table. */
export async function readTable(table: Locator): Promise<Record<string, string>[]> {
  return table.evaluate((element) => {
    const read = (cell: Element) => (cell as HTMLElement).innerText.replace(/\s+/g, ' ').trim()
    const heads = [...element.querySelectorAll('thead th')].map(read)
    const rows = [...element.querySelectorAll('tbody tr[data-row]')].map((row) => [...row.children].map(read))
    return rows.map((cells) => Object.fromEntries(heads.map((head, at) => [head, cells[at] ?? ''])))
  })
}

/** The row with that name, to click or select in. */
export function rowNamed(table: Locator, name: string): Locator {
  const link = table.page().getByRole('link', { name, exact: true })
  const button = table.page().getByRole('button', { name, exact: true })
  return table.getByRole('row').filter({ has: link.or(button) })
}

function patternOf(cell: string | RegExp): RegExp {
  if (cell instanceof RegExp) return cell
  return new RegExp(`^${cell.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\w)`)
}

const sentence = (row: Row) =>
  `a row with ${Object.entries(row)
    .map(([head, cell]) => `${head} ${cell}`)
    .join(', ')}`
