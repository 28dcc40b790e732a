import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { HOST_LIST } from '@/lists/host'
import type { HostDetail } from '@/server/api/host/view'
import { show } from '../console/testing/show'
import { VerdictFacts } from '../migrate/VerdictFacts'
import { columnsAt, pastHosts } from '../past/replay/PastHosts'
import { Table } from '../ui/table/Table'
import { hostColumns } from './columns'
import { HeadState, SilentNote } from './HostHead'
import { hostRow } from './testing/host-row'

afterEach(cleanup)

it('a host that does not answer shows that instead of its recorded status “up”', () => {
  const rows = [
    hostRow('h-1', {}),
    hostRow('h-2', { contact: 'silent' }),
    hostRow('h-3', { contact: 'never-answered' }),
  ]
  render(<Table label="Hosts" columns={hostColumns} rows={rows} />)
  expect(screen.getByRole('row', { name: /^h-1 up enabled/ })).toBeTruthy()
  expect(screen.getByRole('row', { name: /^h-2 no answer enabled/ })).toBeTruthy()
  expect(screen.getByRole('row', { name: /^h-3 never answered enabled/ })).toBeTruthy()
})

it('the page of a silent host calls no status green, and names its last contact and the next step', () => {
  const silence = 'connect ECONNREFUSED 192.0.2.1:16514'
  const silent = { ...hostRow('h-2', { contact: 'silent' }), silence, lastSeenAt: Date.now() - 60_000 } as HostDetail
  show(
    <>
      <HeadState host={silent} />
      <SilentNote host={silent} />
    </>,
  )
  expect(screen.getByText('no answer')).toBeTruthy()
  expect(screen.getByText('recorded up')).toBeTruthy()
  expect(screen.queryByText('up')).toBeNull()
  expect(document.body.textContent).toMatch(
    /Last contact: 1 min ago. Last error: connect ECONNREFUSED 192.0.2.1:16514. What/,
  )
  expect(screen.getByRole('link', { name: 'What is safe to do' }).getAttribute('href')).toMatch(/tab=adviser/)
})

it('the page of a host that answers has no such note', () => {
  render(<SilentNote host={{ ...hostRow('h-1', {}), silence: null }} />)
  expect(screen.queryByRole('link')).toBeNull()
})

it('a past list shows the last answer as not recorded, not as never', () => {
  render(<Table label="Hosts" columns={columnsAt(0)} rows={[hostRow('h-1', {})]} />)
  expect(screen.getByRole('row', { name: /not recorded$/ })).toBeTruthy()
  expect(screen.queryByText(/first answer/)).toBeNull()
})

it('the silence filter exists for now, but not for a past time', () => {
  const now = HOST_LIST.filters.state.values
  const past = pastHosts.keys.find(({ id }) => id === 'state')?.values
  for (const silence of ['silent', 'never-answered'] as const) {
    expect(now).toContain(silence)
    expect(past).not.toContain(silence)
  }
})

it.each([
  ['never answered', { since: null }, /has never answered; a migration would wait for it/],
  ['answered once', { since: 0 }, /does not answer; a migration would wait for it. Last answer/],
])('a verdict on a host that %s is a warning, with its reason', (_, silence, says) => {
  const host = { id: 'h-1', name: 'h-1' }
  const verdict = {
    ...{ host, zone: null, status: 'up', scheduling: 'enabled', verdict: 'ok', rank: 1, isSource: false },
  }
  const facts = { ...verdict, refusals: [], warnings: [] } as const
  const { container } = render(<VerdictFacts verdict={facts as never} mapping={null} silence={silence} />)
  expect(container.textContent).toMatch(/^h-1warning/)
  expect(container.textContent).toMatch(says)
})
