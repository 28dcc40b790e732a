import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { createTRPCClient } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from 'nuqs/adapters/testing'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import type { AppRouter } from '@/server/api/router'
import { TRPCProvider } from '../trpc'
import { TestRouter } from './TestRouter'

interface SentRequest {
  readonly path: string
  readonly input: unknown
}

/** Renders part of the console at an address. The server is a table of answers; other requests stay pending. */
export function show(part: ReactNode, answers: Readonly<Record<string, unknown>> = {}, search = '') {
  const requests: SentRequest[] = []
  const mutations: SentRequest[] = []
  const onUrlUpdate = vi.fn<OnUrlUpdateFunction>()
  const push = vi.fn<(href: string) => void>()
  const queries = new QueryClient()
  const client = createTRPCClient<AppRouter>({
    links: [
      () =>
        ({ op: { path, input, type } }) => {
          requests.push({ path, input })
          if (type === 'mutation') mutations.push({ path, input })
          return observable((to) => {
            if (!(path in answers)) return
            to.next({ result: { data: answers[path] } })
            to.complete()
          })
        },
    ],
  })
  render(
    <NuqsTestingAdapter searchParams={search} onUrlUpdate={onUrlUpdate} hasMemory>
      <QueryClientProvider client={queries}>
        <TRPCProvider trpcClient={client} queryClient={queries}>
          <TestRouter push={push}>{part}</TestRouter>
        </TRPCProvider>
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  )
  return { requests, mutations, onUrlUpdate, push, queries }
}
