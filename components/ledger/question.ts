import { FIRST_PAGE } from '../console/list/first-page'

/** How the ledger is read: by consumer or by provider. */
export const DIRECTIONS = ['consumer', 'provider'] as const
type Direction = (typeof DIRECTIONS)[number]

export const orderBy = (by: Direction) => [{ by, dir: 'asc' as const }]

/** The page's query at an address without parameters. */
export const firstQuestion = { order: orderBy('consumer'), ...FIRST_PAGE }
