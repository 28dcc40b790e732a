import { act, cleanup, configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, it } from 'vitest'
import type { CloudActionPreview, CloudSubjectView } from '@/server/api/cloud/action-view'
import { show } from '../../console/testing/show'
import { Toasts } from '../../ui/overlay/Toasts'
import { SubjectPane } from './SubjectPane'

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
// They load on first open.
beforeAll(() =>
  Promise.all([import('./ActionDialog'), import('../../ui/overlay/overlays'), import('../../ui/overlay/ConfirmForm')]),
)
afterEach(cleanup)

const VERB = 'Live-migrate instance'
const SUBJECT: CloudSubjectView = {
  ...{ name: 'web-1', says: 'Nova reports it as active.', actions: [], fence: null },
  offers: [{ verb: 'live-migrate', subject: 'i', why: null }],
}
const PREVIEW: CloudActionPreview = {
  ...{ why: null, isDangerous: false, fields: [], destinations: [], flavors: [], unchecked: [], print: 'p' },
  ...{ call: null, undoneBy: null },
}
const REFUSED = { does: 'Live-migrates web-1.', did: 'not-sent', says: 'its task is migrating', proposal: null }
const OFFERS = { queryKey: [['cloudAction', 'offers']] }

/** The dialog of the pane's main action, with a reason. */
async function opened(more: Readonly<Record<string, unknown>> = {}) {
  const answers: Record<string, unknown> = { 'cloudAction.offers': SUBJECT, 'cloudAction.explain': PREVIEW, ...more }
  const pane = (
    <>
      <SubjectPane cloud="c" kind="instance" subject="i" mayAct onClose={() => {}} />
      <Toasts />
    </>
  )
  const { queries } = show(pane, answers)
  await userEvent.click(await screen.findByRole('button', { name: VERB }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await userEvent.type(await dialog.findByLabelText(/Reason/), 'night shift')
  return { dialog, queries, answers }
}

it('the dialog stays, with what was typed, while a read of the cloud lacks the instance', async () => {
  const { queries } = await opened()
  const field = screen.getByLabelText<HTMLTextAreaElement>(/Reason/)
  for (const [view, text] of [
    [null, 'The cloud does not list it any more.'],
    [SUBJECT, SUBJECT.says],
  ] as const) {
    act(() => void queries.setQueriesData(OFFERS, view))
    expect(await screen.findByText(text)).toBeTruthy()
    expect(screen.getByLabelText(/Reason/)).toBe(field)
    expect(field.value).toBe('night shift')
    expect(document.activeElement).toBe(field)
  }
})

it('an accepted action is shown at once, however long the next read of the pane takes', async () => {
  const { dialog, answers } = await opened({ 'cloudAction.request': { ...REFUSED, did: 'sent', says: null } })
  delete answers['cloudAction.offers']
  delete answers['cloudAction.explain']
  await userEvent.click(dialog.getByRole('button', { name: VERB }))
  expect(await screen.findByText(/web-1.*accepted|accepted.*web-1/i)).toBeTruthy()
})

it('an action that is refused after its dialog was closed says so', async () => {
  let answer = (_value: unknown) => {}
  const { dialog } = await opened({ 'cloudAction.request': new Promise((done) => (answer = done)) })
  await userEvent.click(dialog.getByRole('button', { name: VERB }))
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await act(async () => answer(REFUSED))
  expect(await screen.findByText('Not done: its task is migrating')).toBeTruthy()
})
