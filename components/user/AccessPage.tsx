'use client'
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '../console/trpc'
import { RightsPanel } from './RightsPanel'
import { TokensPanel } from './TokensPanel'
import { UsersPanel } from './UsersPanel'

/** Users and tokens, and what each role may do. */
export function AccessPage() {
  const trpc = useTRPC()
  const session = useQuery(trpc.session.me.queryOptions())
  const isAdmin = session.data === undefined ? undefined : session.data.role === 'admin'
  return (
    <div className="grid grid-cols-1 items-start gap-4 2xl:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-4">
        <UsersPanel isAdmin={isAdmin} />
        <TokensPanel isAdmin={isAdmin} />
      </div>
      <RightsPanel />
    </div>
  )
}
