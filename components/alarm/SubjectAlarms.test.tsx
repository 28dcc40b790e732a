import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { AlarmView } from '@/server/api/alarm/router'
import { show } from '../console/testing/show'
import { SubjectAlarms } from './SubjectAlarms'

afterEach(cleanup)

const alarm = (over: Partial<AlarmView>): AlarmView => ({
  ...{ id: 'a', kind: 'host-down', subject: 'h-07', name: 'h-07', severity: 'critical', title: 'Host down' },
  ...{ says: 'Host h-07 is recorded down.', raisedAt: 0, endedAt: null },
  ...{ acknowledgedAt: null, acknowledgedBy: null, isMuted: false },
  ...over,
})
const rows = [
  alarm({ acknowledgedAt: 1, acknowledgedBy: 'sam' }),
  alarm({ id: 'b', title: 'Host silent', endedAt: 1 }),
  alarm({ id: 'c', title: 'Host silent', subject: 'h-08' }),
]

it('a host lists its own open alarms, and who acknowledged them', async () => {
  show(<SubjectAlarms subject="h-07" />, { 'alarm.list': { rows } })
  const items = await screen.findAllByRole('listitem')
  expect(items.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^criticalHost downHost h-07 is recorded down\..*acknowledged by sam$/),
  ])
})

it('a host without open alarms has no list', async () => {
  const { queries } = show(<SubjectAlarms subject="h-09" />, { 'alarm.list': { rows } })
  await expect.poll(() => queries.isFetching()).toBe(0)
  expect(screen.queryByRole('list')).toBeNull()
})
