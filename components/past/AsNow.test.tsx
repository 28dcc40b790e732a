import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createTRPCClient } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from 'nuqs/adapters/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { HostDetail } from '@/server/api/host/view'
import type { AppRouter } from '@/server/api/router'
import { TRPCProvider } from '../console/trpc'
import { DrainButtons } from '../drain/DrainButtons'
import { HostActions } from '../host/HostActions'
import { AsNow, NowMark } from './AsNow'

const THEN = '?at=2026-11-21T05:00:00.000Z'
const ok = { ok: true } as const
const permitted = { up: ok, down: ok, fenced: ok, lost: ok, enable: ok, disable: ok }
const host = { id: 'h', name: 'h-07', permitted } as HostDetail
const ACTIONS = ['Drain…', 'Evacuate…', 'Host actions']

/** The parts beside the map on a host's page, over a server that has not responded yet. */
function show(searchParams: string) {
  const queries = new QueryClient()
  const client = createTRPCClient<AppRouter>({ links: [() => () => observable(() => {})] })
  const onUrlUpdate = vi.fn<OnUrlUpdateFunction>()
  render(
    <NuqsTestingAdapter searchParams={searchParams} onUrlUpdate={onUrlUpdate} hasMemory>
      <QueryClientProvider client={queries}>
        <TRPCProvider trpcClient={client} queryClient={queries}>
          <NowMark />
          <DrainButtons host={host.id} />
          <HostActions host={host} />
          <AsNow>{null}</AsNow>
        </TRPCProvider>
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  )
  return onUrlUpdate
}

afterEach(cleanup)

describe('what does not go back with the map', () => {
  it('says that it is as it is now, and leads back to now', async () => {
    const onUrlUpdate = show(`${THEN}&tab=events`)
    expect(screen.getByText('Current state, not the state at 2026-11-21 05:00:00 UTC')).toBeTruthy()
    expect(screen.getByText('Current:')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Return to now' }))
    expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe('?tab=events')
    expect(screen.queryByText(/current state/i)).toBeNull()
  })

  it('keeps its actions where they are, and says why they do nothing', () => {
    show(THEN)
    for (const name of ACTIONS) {
      expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
    }
    expect(screen.queryByRole('link', { name: 'Evacuate…' })).toBeNull()
  })

  it('says nothing of it on a page of now, where actions act', () => {
    show('')
    expect(screen.queryByText(/now/)).toBeNull()
    expect(screen.getByRole('link', { name: 'Evacuate…' })).toBeTruthy()
    for (const button of screen.getAllByRole('button')) expect(button.getAttribute('aria-disabled')).toBeNull()
  })
})
