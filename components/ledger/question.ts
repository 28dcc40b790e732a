import { FIRST_PAGE } from '../console/list/first-page'

/** How the ledger is read: from who holds, or from what is held. */
export const DIRECTIONS = ['consumer', 'provider'] as const
type Direction = (typeof DIRECTIONS)[number]

export const orderBy = (by: Direction) => [{ by, dir: 'asc' as const }]

/** What the page asks at an address that says nothing. */
export const firstQuestion = { order: orderBy('consumer'), ...FIRST_PAGE }
