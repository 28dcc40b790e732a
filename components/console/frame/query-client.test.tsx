import { MutationObserver, onlineManager, QueryClientProvider, useMutation } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { Toasts } from '../../ui/overlay/Toasts'
import { makeQueryClient } from './query-client'

afterEach(() => {
  cleanup()
  onlineManager.setOnline(true)
})

test('an action is sent at once or fails, even if the browser believes that it is offline', async () => {
  onlineManager.setOnline(false)
  const sent: string[] = []
  const confirm = new MutationObserver(makeQueryClient(), {
    mutationFn: async (action: string) => {
      sent.push(action)
      throw new Error('no answer')
    },
  })
  await expect(confirm.mutate('confirm')).rejects.toThrow('no answer')
  onlineManager.setOnline(true)
  expect(sent).toEqual(['confirm'])
})

test('a query is sent even if the browser believes that it is offline', async () => {
  onlineManager.setOnline(false)
  const client = makeQueryClient()
  expect(await client.fetchQuery({ queryKey: ['hosts'], queryFn: async () => 24 })).toBe(24)
})

/** A panel with an action that ends when `fail` is called, closed or not before. */
function shown(meta?: Record<string, unknown>) {
  const client = makeQueryClient()
  const parts = { begin: () => {}, close: () => {}, fail: (_why: unknown) => {} }
  function Panel() {
    const measure = useMutation({
      mutationFn: () => new Promise((_done, fail) => Object.assign(parts, { fail })),
      ...(meta && { meta }),
    })
    parts.begin = measure.mutate
    return measure.error ? <p>failed in the panel</p> : null
  }
  function Page() {
    const [open, setOpen] = useState(true)
    parts.close = () => setOpen(false)
    return open ? <Panel /> : null
  }
  render(
    <QueryClientProvider client={client}>
      <Page />
      <Toasts />
    </QueryClientProvider>,
  )
  return parts
}

const REFUSAL = {
  what: 'Measure the memory of web-1',
  ...{ where: 'web-1', refusals: [], notChanged: null, next: 'Measure again.', requestId: 'r', code: 'c' },
}

test('an action that fails after its panel was closed says so in a toast, with what to do', async () => {
  const parts = shown()
  await act(async () => parts.begin())
  act(() => parts.close())
  await act(async () => parts.fail(Object.assign(new Error('refused'), { data: { berth: REFUSAL } })))
  expect(await screen.findByText('An action failed')).toBeTruthy()
  expect(screen.getByText(/Measure the memory of web-1/)).toBeTruthy()
  expect(screen.getByText(/Nothing was changed. Measure again\./)).toBeTruthy()
})

test('an action that fails in an open panel is shown there alone', async () => {
  const parts = shown()
  await act(async () => parts.begin())
  await act(async () => parts.fail(new Error('refused')))
  expect(await screen.findByText('failed in the panel')).toBeTruthy()
  expect(screen.queryByText('An action failed')).toBeNull()
})

test('the failure of a request that only the closed panel needed is not shown', async () => {
  const parts = shown({ onlyWhileOpen: true })
  await act(async () => parts.begin())
  act(() => parts.close())
  await act(async () => parts.fail(new Error('aborted')))
  await act(() => import('../late-failure'))
  expect(screen.queryByText('An action failed')).toBeNull()
})
