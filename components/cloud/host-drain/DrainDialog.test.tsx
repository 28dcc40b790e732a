import { cleanup, configure, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { CloudDrainPlanView } from '@/server/api/cloud/drain-router'
import { show } from '../../console/testing/show'
import { DrainDialog } from './DrainDialog'

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
beforeAll(
  async () => void (await Promise.all([import('../../ui/overlay/overlays'), import('../../ui/overlay/ConfirmForm')])),
)
afterEach(cleanup)

const open = (answers: Readonly<Record<string, unknown>>) =>
  show(<DrainDialog cloud="c" host="cmp-1" onClose={() => {}} />, answers)
const planOf = (migrations: number): CloudDrainPlanView => ({
  migrations: Array.from({ length: migrations }, (_, n) => ({
    ...{ instance: `i${n}`, name: `web-${n}`, verb: 'live-migrate', host: 'cmp-2', batch: Math.floor(n / 2) },
  })),
  stays: [{ instance: 's', name: 'db-1', why: 'no host has 64 GiB free', isPassing: false }],
})

it('the reason and the options come before the plan, however long it is', async () => {
  open({ 'cloudDrain.plan': planOf(3) })
  const plan = await screen.findByRole('table', { name: 'Plan' })
  for (const field of [screen.getByLabelText('Reason'), screen.getByLabelText('Migrations at the same time')]) {
    expect(field.compareDocumentPosition(plan) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  }
})

it('the plan lists the instances that stay first, with the reason', async () => {
  open({ 'cloudDrain.plan': planOf(3) })
  const [, first, second] = within(await screen.findByRole('table', { name: 'Plan' })).getAllByRole('row')
  expect(first!.textContent).toContain('db-1')
  expect(first!.textContent).toContain('no host has 64 GiB free')
  expect(second!.textContent).toMatch(/web-0.*live.*cmp-2/)
  expect(screen.getByText('1 instance stays, 3 migrations in 2 batches')).toBeTruthy()
})

it('only the rows in view of a long plan are in the document', async () => {
  open({ 'cloudDrain.plan': planOf(600) })
  const plan = await screen.findByRole('table', { name: 'Plan' })
  expect(plan.getAttribute('aria-rowcount')).toBe('602')
  expect(within(plan).getAllByRole('row').length).toBeLessThan(200)
})

it('the fields are there before the plan, but the drain waits for it', async () => {
  open({})
  expect(await screen.findByLabelText('Reason')).toBeTruthy()
  expect(screen.getByLabelText('Migrations at the same time')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Drain host' }).getAttribute('aria-disabled')).toBe('true')
})
