import { createTRPCContext } from '@trpc/tanstack-react-query'
import type { AppRouter } from '@/server/api/router'

// The typed way to the API. Only its types come from the server.

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>()
