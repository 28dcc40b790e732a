import { describe, expect, it } from 'vitest'
import type { StreamItem } from '@/server/api/contract-moves'
import { isTouched, touchedBy } from './touched'

const event = (over: Partial<Extract<StreamItem, { is: 'event' }>>) => ({
  is: 'event' as const,
  at: 0,
  seq: '1',
  kind: 'migration.claimed',
  hosts: ['h-1', 'h-2'],
  instance: 'i-1',
  migration: 'm-1',
  ...over,
})

const key = (path: string, input?: Record<string, unknown>) => [path.split('.'), { input, type: 'query' }]

describe('what an event makes old', () => {
  const claimed = touchedBy([event({})])
  const progress = touchedBy([event({ kind: 'migration.progressed' })])

  it.each([
    ['a list of hosts', key('host.list', {}), claimed, true],
    ['the map of a host it names', key('host.map', { id: 'h-2' }), claimed, true],
    ['the map of another host', key('host.map', { id: 'h-3' }), claimed, false],
    ['its migration', key('migration.byId', { id: 'm-1' }), claimed, true],
    ['another instance', key('instance.byId', { id: 'i-9' }), claimed, false],
    ['events of its host', key('event.list', { host: 'h-1' }), claimed, true],
    ['events of another host', key('event.list', { host: 'h-3' }), claimed, false],
    ['the session', key('session.me'), claimed, false],
    ['a map, when only progress was told', key('host.map', { id: 'h-1' }), progress, false],
    ['the migration, when only progress was told', key('migration.byId', { id: 'm-1' }), progress, true],
    ['a question the console does not know', key('nobody.knows'), claimed, false],
  ])('%s', (_, asked, touched, expected) => {
    expect(isTouched(asked, touched)).toBe(expected)
  })
})
