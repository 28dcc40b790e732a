import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, it, vi } from 'vitest'
import { refetchActive } from './refetch-active'

const queries = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } })
afterEach(() => queries.clear())

/** A screen with a query; the test decides when its responses arrive. */
function shown(key: string) {
  const answers: ((answer: string) => void)[] = []
  const queryFn = vi.fn(() => new Promise<string>((resolve) => answers.push(resolve)))
  const observer = new QueryObserver(queries, { queryKey: [key], queryFn })
  const leave = observer.subscribe(() => {})
  return {
    ...{ queryFn, leave },
    answer: async (nth: number, answer: string) => {
      answers[nth]?.(answer)
      await new Promise((resolve) => setTimeout(resolve))
    },
    seen: () => observer.getCurrentResult().data,
  }
}

it('a query that was pending at the event is sent once more', async () => {
  const screen = shown('host')
  const done = refetchActive(queries, () => true)
  await screen.answer(0, 'before')
  await screen.answer(1, 'after')
  await done
  expect(screen.seen()).toBe('after')
  expect(screen.queryFn).toHaveBeenCalledTimes(2)
  screen.leave()
})

it('a refetch under way is cancelled and sent once', async () => {
  const screen = shown('host')
  await screen.answer(0, 'first')
  void queries.refetchQueries()
  const done = refetchActive(queries, () => true)
  await screen.answer(2, 'after')
  await screen.answer(1, 'before')
  await done
  expect(screen.seen()).toBe('after')
  expect(screen.queryFn).toHaveBeenCalledTimes(3)
  screen.leave()
})

it('valid queries are left alone, and one failing query does not fail the refetch', async () => {
  const [host, session] = [shown('host'), shown('session')]
  const broken = new QueryObserver(queries, { queryKey: ['broken'], queryFn: () => Promise.reject(new Error('no')) })
  const leave = broken.subscribe(() => {})
  const done = refetchActive(queries, ([key]) => key !== 'session')
  await session.answer(0, 'me')
  await host.answer(0, 'before')
  await host.answer(1, 'after')
  await done
  expect(host.seen()).toBe('after')
  expect(session.queryFn).toHaveBeenCalledTimes(1)
  for (const end of [leave, host.leave, session.leave]) end()
})
