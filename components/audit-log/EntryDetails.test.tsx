import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { AuditLogEntry } from '@/server/api/audit-log/router'
import { show } from '../console/testing/show'
import { EntryDetails } from './EntryDetails'

const SIGN_IN: AuditLogEntry = {
  ...{ id: '7', at: 0, action: 'session.signed-in', procedure: null, outcome: 'done', who: 'admin', role: 'admin' },
  ...{ credential: 'password', address: '127.0.0.1', instance: null, hosts: [], migration: null, subject: null },
  ...{ reason: null, request: null, data: {} },
}

it('an entry without a reason says that there is none, not that it is unknown', () => {
  show(<EntryDetails entry={SIGN_IN} />)
  expect(screen.getByText('Reason').nextElementSibling?.textContent).toBe('–')
  expect(screen.queryByText('unknown')).toBeNull()
})
