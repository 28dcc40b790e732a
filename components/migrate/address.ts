import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { Operation } from '@/server/engine/migration/state'
import { operationWords } from '../step/words'

// The address holds the open drawer and every choice in it, so that a link reproduces the request.

const OPERATIONS = Object.keys(operationWords) as readonly Operation[]
const VERDICTS = ['ok', 'warning', 'refused'] as const

/** How a live migration treats the disk. */
export const STORAGE = ['auto', 'shared', 'block'] as const

const chosen = {
  flavor: parseAsString,
  image: parseAsString,
  target: parseAsString,
  verdict: parseAsStringLiteral(VERDICTS),
  /** Filters hosts by part of their name or zone. */
  find: parseAsString,
}

export function useMigrateDrawer() {
  const [state, set] = useQueryStates(
    {
      move: parseAsString,
      operation: parseAsStringLiteral(OPERATIONS),
      storage: parseAsStringLiteral(STORAGE),
      ...chosen,
    },
    { history: 'push' },
  )
  return {
    ...state,
    set: (values: Partial<typeof state>) => void set(values, { history: 'replace' }),
    open: (values: { move: string; operation: Operation }) => void set(values),
    close: () => void set(null),
  }
}

export function useBuildDrawer() {
  const [state, set] = useQueryStates(
    { build: parseAsStringLiteral(['yes'] as const), zone: parseAsString, group: parseAsString, ...chosen },
    { history: 'push' },
  )
  return {
    ...state,
    set: (values: Partial<typeof state>) => void set(values, { history: 'replace' }),
    open: () => void set({ build: 'yes' }),
    close: () => void set(null),
  }
}
