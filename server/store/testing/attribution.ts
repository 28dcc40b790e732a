import type { Attribution } from '../../engine/change'

/** For what a test sets up before it begins. */
export const TEST_ATTRIBUTION: Attribution = { actor: { who: 'a test', request: null, reason: null }, at: 0 }
