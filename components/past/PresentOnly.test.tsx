import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it } from 'vitest'
import type { HostDetail } from '@/server/api/host/view'
import { show } from '../console/testing/show'
import { DrainButtons } from '../drain/DrainButtons'
import { HostActions } from '../host/HostActions'
import { PresentMark, PresentOnly } from './PresentOnly'

const THEN = '?at=2026-11-21T05:00:00.000Z'
const ok = { ok: true } as const
const permitted = { up: ok, down: ok, fenced: ok, lost: ok, enable: ok, disable: ok }
const host = { id: 'h', name: 'h-07', permitted } as HostDetail
const ACTIONS = ['Drain…', 'Evacuate…', 'Host actions']

/** The parts beside the map on a host's page, over a server that has not responded yet. */
function showAt(search: string) {
  const { onUrlUpdate } = show(
    <>
      <PresentMark />
      <DrainButtons host={host.id} />
      <HostActions host={host} />
      <PresentOnly>{null}</PresentOnly>
    </>,
    {},
    search,
  )
  return onUrlUpdate
}

afterEach(cleanup)

describe('a part that shows current data on a page of the past', () => {
  it('says that it shows the present, and links back to now', async () => {
    const onUrlUpdate = showAt(`${THEN}&tab=events`)
    expect(screen.getByText('Current state, not the state at 2026-11-21 05:00:00 UTC')).toBeTruthy()
    expect(screen.getByText('Current:')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Return to now' }))
    expect(onUrlUpdate.mock.lastCall?.[0].queryString).toBe('?tab=events')
    expect(screen.queryByText(/current state/i)).toBeNull()
  })

  it('keeps its actions in place, and says why they are unavailable', () => {
    showAt(THEN)
    for (const name of ACTIONS) {
      expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
    }
    expect(screen.queryByRole('link', { name: 'Evacuate…' })).toBeNull()
  })

  it('shows no notice on a page of now, where actions work', () => {
    showAt('')
    expect(screen.queryByText(/now/)).toBeNull()
    expect(screen.getByRole('link', { name: 'Evacuate…' })).toBeTruthy()
    for (const button of screen.getAllByRole('button')) expect(button.getAttribute('aria-disabled')).toBeNull()
  })
})
