import { parseAsStringLiteral, useQueryState } from 'nuqs'

/** The address holds whether the drawer is open. */
export function useAddHost() {
  const [add, set] = useQueryState('add', parseAsStringLiteral(['host'] as const).withOptions({ history: 'push' }))
  return { isOpen: add === 'host', open: () => void set('host'), close: () => void set(null) }
}
