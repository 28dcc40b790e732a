import { createTRPCContext } from '@trpc/tanstack-react-query'
import type { ContractRouter as AppRouter } from './contract-router'

// The typed way to the API. Only its types come from the server.

export const { TRPCProvider, useTRPC, useTRPCClient } = createTRPCContext<AppRouter>()
