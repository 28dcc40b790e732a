'use client'
import { QueryClientProvider } from '@tanstack/react-query'
import { createTRPCClient, httpBatchStreamLink, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client'
import { useRouter } from 'next/navigation'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import { type ReactNode, useState } from 'react'
import { I18nProvider, RouterProvider } from 'react-aria-components'
import type { AppRouter } from '@/server/api/router'
import { LinkRouter } from '../../ui/Link'
import { Toasts } from '../../ui/overlay/Toasts'
import { ClockZoneProvider } from '../../ui/time/zone'
import type { Zone } from '../../ui/time/zone-cookie'
import { isUnbatched, API as url } from '../list/unbatched'
import { TRPCProvider } from '../trpc'
import { makeQueryClient } from './query-client'
import { InitialTheme } from './ThemeSwitch'
import type { Theme } from './theme'

const makeClient = () =>
  createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: (operation) => operation.type === 'subscription',
        true: httpSubscriptionLink({ url }),
        false: splitLink({
          condition: ({ path }) => isUnbatched(path),
          true: httpLink({ url }),
          // A slow response must not delay the fast ones in its batch.
          false: httpBatchStreamLink({ url, maxItems: 12 }),
        }),
      }),
    ],
  })

export function Providers({ theme, zone, children }: { theme: Theme; zone: Zone; children: ReactNode }) {
  const { push: follow } = useRouter()
  const [queryClient] = useState(makeQueryClient)
  const [trpcClient] = useState(makeClient)
  return (
    <I18nProvider locale="en-US">
      <RouterProvider navigate={follow}>
        <LinkRouter value={follow}>
          <QueryClientProvider client={queryClient}>
            <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
              <NuqsAdapter>
                <InitialTheme value={theme}>
                  <ClockZoneProvider initial={zone}>{children}</ClockZoneProvider>
                </InitialTheme>
              </NuqsAdapter>
              <Toasts />
            </TRPCProvider>
          </QueryClientProvider>
        </LinkRouter>
      </RouterProvider>
    </I18nProvider>
  )
}
