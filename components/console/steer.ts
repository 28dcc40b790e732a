import { useQuery } from '@tanstack/react-query'
import { useTRPC } from './trpc'

/** Why this user may not act, for buttons without a permit in a row. Null if allowed or unknown. */
export function useWhyNotSteer(): string | null {
  const trpc = useTRPC()
  const session = useQuery(trpc.session.me.queryOptions())
  const permit = session.data?.permitted.move
  return permit && !permit.ok ? permit.why : null
}
