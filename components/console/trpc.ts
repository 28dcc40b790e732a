import { createTRPCContext } from '@trpc/tanstack-react-query'
import type { AppRouter } from '@/server/api/router'

// The typed client of the API. Only types are imported from the server.

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>()
