import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { makeQueryClient } from './query-client'

afterEach(() => onlineManager.setOnline(true))

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
