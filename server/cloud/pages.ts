import { z } from 'zod'
import { CloudError } from './http/errors'

// Lists of Nova, whose pages each begin after a marker: the id of the last row of the page before.

export interface Page<T> {
  readonly rows: readonly T[]
  readonly isLast: boolean
  /** The cloud's clock when it answered. */
  readonly at: number
}

interface PagedList<T> {
  readonly idOf: (row: T) => string
  /** The page after this row; null: the first. */
  readonly page: (marker: string | null) => Promise<Page<T>>
}

const MAX_PAGES = 10_000
/** Steps back per list, each of which needs a row that was deleted while the list was read. */
const MAX_STEPS_BACK = 50
const BAD_REQUEST = 400

const linksSchema = z.array(z.looseObject({ rel: z.string() })).nullish()

/** The answer of a list whose rows are under the key, beside the link to the next page. */
export const pageSchema = <T>(key: string, row: z.ZodType<T>): z.ZodType<Omit<Page<T>, 'at'>> =>
  z.looseObject({ [key]: z.array(row), [`${key}_links`]: linksSchema }).transform((answer) => {
    const links = answer[`${key}_links`] as z.infer<typeof linksSchema>
    return { rows: answer[key] as readonly T[], isLast: !links?.some(({ rel }) => rel === 'next') }
  })

/**
 * All rows, with the time of the first page. A row that changes pages meanwhile is listed once, as last read; one that
 * is deleted meanwhile may be listed. Null: the pages do not end.
 */
export async function readPages<T>({ idOf, page }: PagedList<T>) {
  const rows = new Map<string, T>()
  const order: string[] = []
  const markers = new Set<string>()
  let at: number | null = null
  let [stepsBack, stride] = [0, 1]
  for (let marker: string | null = null; markers.size < MAX_PAGES; ) {
    const read = await pageAfter(page, marker, stepsBack < MAX_STEPS_BACK)
    if (read === null) {
      // The page after an earlier row has all that the refused one would have had. Many rows may be deleted at once.
      order.splice(-stride)
      stepsBack++
      stride *= 2
      markers.clear()
      marker = order.at(-1) ?? null
      continue
    }
    stride = 1
    at ??= read.at
    for (const row of read.rows) {
      rows.set(idOf(row), row)
      order.push(idOf(row))
    }
    const last = read.rows.at(-1)
    if (last === undefined || read.isLast) return { value: [...rows.values()], at }
    marker = idOf(last)
    if (markers.has(marker)) break
    markers.add(marker)
  }
  return null
}

/** Null: the service refuses the marker, because its row was deleted since it was read. */
async function pageAfter<T>(
  page: PagedList<T>['page'],
  marker: string | null,
  mayStepBack: boolean,
): Promise<Page<T> | null> {
  try {
    return await page(marker)
  } catch (error) {
    const isLost = error instanceof CloudError && error.status === BAD_REQUEST && marker !== null
    if (isLost && mayStepBack) return null
    throw error
  }
}
