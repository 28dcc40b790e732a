import { useQuery } from '@tanstack/react-query'
import { useTRPC } from './trpc'

/** Why this person may not steer, for buttons that no row carries a permit for. Null when they may, or while unknown. */
export function useWhyNotSteer(): string | null {
  const trpc = useTRPC()
  const session = useQuery(trpc.session.me.queryOptions())
  const permit = session.data?.permitted.move
  return permit && !permit.ok ? permit.why : null
}
