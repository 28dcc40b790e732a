import { expect, test } from 'vitest'
import { capture, newCloud } from '../../engine/cloud/testing/nova-cloud'
import { cloudView } from './answers'
import type { Clouds } from './clouds'

test('a cloud of which much was not read says how much more there is than it lists', () => {
  const read = capture(newCloud({ hosts: 30, shared: false, witness: false }))
  const { providers } = read
  if (!providers.isRead) throw new Error('not read')
  const unread = { isRead: false, why: 'answers 403' } as const
  const value = providers.value.map((each) => ({ ...each, allocations: unread }))
  const snapshot = { ...read, providers: { ...providers, value } }
  const row = { id: 'c', name: 'prod', settings: {}, secret: Buffer.from(''), enabled: true, mayAct: false, addedAt: 0 }
  const clouds: Pick<Clouds, 'reach'> = { reach: () => null }
  const { notRead } = cloudView(clouds, row, { status: null, state: { snapshot, findings: [] } })
  expect(notRead).toHaveLength(21)
  expect(notRead.at(-1)).toBe('and 10 more')
})
