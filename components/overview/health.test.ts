import { describe, expect, it } from 'vitest'
import type { HostQuickFilter } from '@/lists/host'
import type { AttentionItem, AttentionKind } from '@/server/api/overview/attention'
import { paths } from '../console/paths'
import { withQuickFilter } from '../host/HostCounts'
import { levelOf } from './HealthLine'
import { healthParts, listOf, stepFor } from './health'
import { attentionBadge, healthText } from './words'

const blank = { since: null, host: null, instance: null, migration: null, count: 1, why: null } as const
const item = (over: Partial<AttentionItem> & Pick<AttentionItem, 'kind'>): AttentionItem => ({ ...blank, ...over })
const host = { id: 'h', name: 'h-07' }
const cloud = { id: 'c', name: 'region-1' }
const instance = { id: 'i', name: 'web-1' }

it('a fenced host is not called down: it needs an evacuation, not fencing', () => {
  const label = (status: 'fenced' | 'lost') => attentionBadge(item({ kind: 'to-evacuate', host, status })).label
  expect([label('fenced'), label('lost')]).toEqual(['Host fenced', 'Host permanently lost'])
})

const QUICK = {
  'host-down': 'down',
  'to-evacuate': 'toEvacuate',
  'host-silent': 'silent',
  'host-never-answered': 'neverAnswered',
  quarantined: 'quarantined',
  remains: 'leftovers',
} as const satisfies Partial<Record<AttentionKind, HostQuickFilter>>

it.each(Object.entries(QUICK))('%s links to the hosts that the quick filter %s counts', (kind, quick) =>
  expect(listOf[kind as AttentionKind]).toBe(paths.hosts({ q: withQuickFilter('', quick) })),
)

describe('the fleet health line', () => {
  it('counts hosts, migrations and findings separately', () => {
    const parts = healthParts([
      item({ kind: 'host-down', host, count: 46 }),
      item({ kind: 'host-down', host: { id: 'g', name: 'g' }, count: 3 }),
      item({ kind: 'to-evacuate', status: 'fenced', host, count: 8 }),
      item({ kind: 'host-silent', count: 5 }),
      item({ kind: 'finding', finding: 'orphan-claim', severity: 'warning', count: 16 }),
      item({ kind: 'finding', finding: 'allocation-missing', severity: 'critical', count: 1 }),
      item({ kind: 'finding', finding: 'amount-wrong', severity: 'critical', count: 2 }),
      item({ kind: 'finding', finding: 'device-off-node', severity: 'info', count: 9 }),
      item({ kind: 'failed', count: 20, more: true }),
      item({ kind: 'approval', count: 2 }),
      item({ kind: 'parked', migration: 'm', instance }),
      item({ kind: 'cloud-finding', severity: 'critical', cloud, count: 4 }),
      item({ kind: 'cloud-finding', severity: 'critical', cloud: { id: 'd', name: 'lab' }, count: 1 }),
      item({ kind: 'cloud-unreachable', cloud }),
    ])
    expect(parts.map(healthText)).toEqual([
      '2 hosts down',
      '1 host to evacuate',
      '5 hosts not answering',
      '16 state mismatches',
      '3 critical state mismatches',
      '9 info-level state mismatches',
      '20+ migrations failed in 24 h',
      '2 requests awaiting approval',
      '1 migration blocked by its records',
      '5 critical cloud findings',
      '1 cloud not reached',
    ])
  })

  it.each([
    ['ok', []],
    ['warning', [item({ kind: 'waits-for-person' })]],
    ['warning', [item({ kind: 'finding', severity: 'warning' })]],
    ['critical', [item({ kind: 'finding', severity: 'critical' })]],
    ['critical', [item({ kind: 'waits-for-person' }), item({ kind: 'host-down' })]],
    ['critical', [item({ kind: 'cloud-finding', severity: 'critical' })]],
    ['critical', [item({ kind: 'cloud-unreachable' })]],
    ['critical', [item({ kind: 'parked' })]],
  ] as const)('says %s for %j', (level, items) => expect(levelOf(items)).toBe(level))
})

describe('the next action for an item', () => {
  it.each([
    ['fence-host', '/hosts/h?act=fenced', item({ kind: 'host-down', host })],
    ['open-host', '/hosts/h', item({ kind: 'host-down', answers: true, host })],
    ['evacuate-host', '/hosts/h/evacuate', item({ kind: 'to-evacuate', status: 'fenced', host })],
    ['mark-down', '/hosts/h?act=down', item({ kind: 'host-silent', host })],
    ['review-requests', '/heal', item({ kind: 'approval', count: 2 })],
    ['start-instances', '/hosts/h', item({ kind: 'guests-off', host, count: 3 })],
    ['open-hosts', '/hosts?q=state%3Asilent', item({ kind: 'host-silent', count: 5 })],
    ['review-repair', '/heal?q=kind%3Aorphan-claim', item({ kind: 'finding', finding: 'orphan-claim', host })],
    [
      'open-findings',
      '/heal?q=kind%3Aorphan-claim',
      item({ kind: 'finding', severity: 'info', finding: 'orphan-claim' }),
    ],
    ['confirm-or-revert', '/migrations/m', item({ kind: 'waits-for-person', migration: 'm', instance })],
    ['review-options', '/migrations/m?tab=adviser', item({ kind: 'waits-for-host', migration: 'm', instance, host })],
    ['review-options', '/hosts/h?tab=adviser', item({ kind: 'waits-for-host', host, count: 2 })],
    ['review-options', '/migrations/m?tab=adviser', item({ kind: 'parked', migration: 'm', instance })],
    [
      'review-repair',
      '/clouds/c?tab=findings&q=severity%3Acritical',
      item({ kind: 'cloud-finding', severity: 'critical', cloud, count: 4 }),
    ],
    ['open-cloud', '/clouds/c', item({ kind: 'cloud-unreachable', cloud })],
    ['open-migrations', '/migrations?view=waiting&q=waiting%3Aperson', item({ kind: 'waits-for-person', count: 9 })],
  ] as const)('is %s at %s', (action, href, of) => expect(stepFor(of)).toEqual({ action, href }))

  it('is empty where no page offers it', () => expect(stepFor(item({ kind: 'health' }))).toBeNull())
})
