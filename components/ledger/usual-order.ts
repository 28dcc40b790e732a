/** The ledger is read from either side. */
export const usualOrder = (by: 'consumer' | 'provider' = 'consumer') => [{ by, dir: 'asc' as const }]
