import { expect, it } from 'vitest'
import { csvOf } from '../ui/table/csv'
import { eventColumns } from './columns'
import type { EventRow } from './waits'
import { kindText } from './words'

const at = Date.UTC(2026, 10, 21, 1, 6, 56, 7)
const host = { id: 'a', name: 'h-01' }
const event: EventRow = {
  ...{ count: 1, since: at },
  ...{ seq: '7', at, kind: 'instance.adopted', who: 'ada', request: null, reason: null, migration: null },
  ...{ instance: { id: 'i', name: 'web-1' }, hosts: [host, { id: 'b', name: 'h-02' }, host], data: { flavor: 's1' } },
}

it('an event is exported as shown: exact time, readable kind, each host once', () => {
  expect(csvOf(eventColumns, { rows: [event], now: at }).split('\n')).toEqual([
    'Time,Event,Events,First,Instance,Instance id,Hosts,Host ids,Migration id,Who,Reason,Details,Request',
    '2026-11-21T01:06:56.007Z,instance adopted,1,2026-11-21T01:06:56.007Z,web-1,i,"h-01, h-02","a, b",,ada,,flavor s1,',
  ])
})

it('an event is named in words that say what happened', () => {
  expect(kindText('migration.claimed')).toBe('migration claimed')
  expect(kindText('hosts.put')).toBe('hosts imported')
  expect(kindText('host.status')).toBe('host status changed')
  expect(kindText('host.made')).toBe('host added')
  expect(kindText('migration.turned-back')).toBe('migration rolling back')
})
