import { useQuery } from '@tanstack/react-query'
import type { SessionView } from '@/server/api/session/router'
import { useTRPC } from './trpc'

/** Why this user lacks this right, for buttons without a permit in a row. Null if allowed or unknown. */
export function useWhyNot(right: keyof SessionView['permitted']): string | null {
  const trpc = useTRPC()
  const permit = useQuery(trpc.session.me.queryOptions()).data?.permitted[right]
  return permit && !permit.ok ? permit.why : null
}

export const useOperatorDenial = () => useWhyNot('migrate')
