'use client'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchStreamLink, httpSubscriptionLink, splitLink } from '@trpc/client'
import { useRouter } from 'next/navigation'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useState } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import { Toasts } from '../ui/Toasts'
import type { ContractRouter as AppRouter } from './contract-router'
import { TRPCProvider } from './trpc'

const url = '/api/trpc'

const makeClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: httpSubscriptionLink({ url }),
        // A slow answer, such as the verdict of every host, must not hold up the quick ones beside it.
        false: httpBatchStreamLink({ url, maxItems: 12 }),
      }),
    ],
  })

// Events say when something is old, so nothing is fetched again for growing old by itself. A refusal is an answer:
// only what the network lost is asked twice.
const makeQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (times, error) => times < 2 && !('data' in error && error.data),
        refetchOnWindowFocus: true,
      },
    },
  })

export function Providers({ children }: { children: ReactNode }) {
  const router = useRouter()
  const [queryClient] = useState(makeQueryClient)
  const [trpcClient] = useState(makeClient)
  return (
    <I18nProvider locale="en-US">
      <RouterProvider navigate={(path) => router.push(path)}>
        <QueryClientProvider client={queryClient}>
          <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
            <NuqsAdapter>{children}</NuqsAdapter>
            <Toasts />
          </TRPCProvider>
        </QueryClientProvider>
      </RouterProvider>
    </I18nProvider>
  )
}
