import { createTRPCClient, type TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AppRouter } from '@/server/api/router'
import { aheadLink, keepAhead } from './ahead'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function clientWith(network: (path: string) => unknown) {
  const asked: string[] = []
  const end: TRPCLink<AppRouter> = () => (call) =>
    observable((observer) => {
      asked.push(call.op.path)
      observer.next({ result: { type: 'data', data: network(call.op.path) } })
      observer.complete()
    })
  return { asked, client: createTRPCClient<AppRouter>({ links: [aheadLink, end] }) }
}

it('answers the same question once with what was asked ahead, and asks the network after that', async () => {
  const { client, asked } = clientWith(() => 'later')
  keepAhead({ path: 'device.list', input: { offset: 0 }, answer: Promise.resolve({ data: 'ahead' }) })
  expect(await client.device.list.query({ offset: 10 })).toBe('later')
  expect(await client.device.list.query({ offset: 0 })).toBe('ahead')
  expect(await client.device.list.query({ offset: 0 })).toBe('later')
  expect(asked).toEqual(['device.list', 'device.list'])
})

it('asks the network when the server could not answer, or the page never came to its end', async () => {
  const { client, asked } = clientWith(() => 'network')
  keepAhead({ path: 'capacity.get', input: undefined, answer: Promise.resolve(null) })
  expect(await client.capacity.get.query()).toBe('network')
  keepAhead({ path: 'capacity.get', input: undefined, answer: Promise.reject(new Error('Connection closed.')) })
  expect(await client.capacity.get.query()).toBe('network')
  expect(asked).toHaveLength(2)
})

it('takes what can be waited for and nothing else, as React hands it on', async () => {
  const { client } = clientWith(() => 'network')
  const answer = { then: (heard: (known: { data: string }) => void) => heard({ data: 'ahead' }) }
  keepAhead({ path: 'capacity.get', input: undefined, answer: answer as PromiseLike<{ data: unknown }> })
  expect(await client.capacity.get.query()).toBe('ahead')
})

it('keeps nothing for long', async () => {
  const { client } = clientWith(() => 'fresh')
  keepAhead({ path: 'capacity.get', input: undefined, answer: Promise.resolve({ data: 'old' }) })
  vi.advanceTimersByTime(11_000)
  expect(await client.capacity.get.query()).toBe('fresh')
})
