import { cleanup, configure, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { lazy, type ReactNode } from 'react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { Select } from '../field/Select'
import { ConfirmDialog, type ConfirmDialogProps } from './ConfirmDialog'

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
// Overlays load on first open; preloaded here so that no test waits for the disk.
beforeAll(async () => void (await Promise.all([import('./overlays'), import('./ConfirmForm')])))
afterEach(cleanup)

async function open(over: Partial<ConfirmDialogProps>) {
  const onConfirm = vi.fn()
  render(
    <ConfirmDialog
      onClose={() => {}}
      title="Abort web-1"
      confirmLabel="Abort web-1"
      consequences={<p>Frees 4 CPUs on h-07</p>}
      onConfirm={onConfirm}
      {...over}
    />,
  )
  await screen.findByRole('button', { name: 'Abort web-1' })
  return onConfirm
}

const verb = () => screen.getByRole('button', { name: 'Abort web-1' })

describe('the confirm dialog', () => {
  it('stays disabled until the consequences are shown', async () => {
    const onConfirm = await open({ consequences: null })
    expect(verb().getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(verb())
    expect(onConfirm).not.toHaveBeenCalled()
  })

  it('acts once they are shown', async () => {
    const onConfirm = await open({})
    await userEvent.click(verb())
    expect(onConfirm).toHaveBeenCalledWith(undefined)
  })

  it('gives the focus to its first field, and reads out the consequences', async () => {
    await open({ needsReason: true })
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Reason' }))
    expect(screen.getByRole('alertdialog', { description: 'Frees 4 CPUs on h-07' })).toBeTruthy()
  })

  it('gives the focus to a choice above its fields', async () => {
    const choice = <Select label="Storage" value="auto" onChange={() => {}} choices={[{ id: 'auto', label: 'Auto' }]} />
    await open({ needsReason: true, consequences: choice })
    expect(document.activeElement?.getAttribute('aria-haspopup')).toBe('listbox')
  })

  it('confirms by Ctrl and Enter from the reason, where Enter begins a line, and only when it may', async () => {
    const onConfirm = await open({ needsReason: true })
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(onConfirm).not.toHaveBeenCalled()
    await userEvent.keyboard('burned{Enter}')
    expect(onConfirm).not.toHaveBeenCalled()
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(onConfirm).toHaveBeenCalledWith('burned')
  })

  it('keeps the focus while the code of its consequences loads', async () => {
    let arrive = () => {}
    const arrived = new Promise<{ default: () => ReactNode }>((resolve) => {
      arrive = () => resolve({ default: () => <p>Frees 4 CPUs on h-07</p> })
    })
    const Consequences = lazy(() => arrived)
    await open({ needsReason: true, consequences: <Consequences /> })
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Reason' }))
    arrive()
    await screen.findByText('Frees 4 CPUs on h-07')
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Reason' }))
  })

  it('requires the typed name and a reason for the most dangerous actions', async () => {
    const onConfirm = await open({ typedName: 'web-1', needsReason: true })
    await userEvent.click(verb())
    await userEvent.type(screen.getByRole('textbox', { name: 'Type web-1 to confirm' }), 'web-2')
    await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'host is on fire')
    await userEvent.click(verb())
    expect(onConfirm).not.toHaveBeenCalled()
    await userEvent.type(screen.getByRole('textbox', { name: 'Type web-1 to confirm' }), '{Backspace}1')
    await userEvent.click(verb())
    expect(onConfirm).toHaveBeenCalledWith('host is on fire')
  })

  it('reuses a given reason: it shows it and passes it on', async () => {
    const onConfirm = await open({ needsReason: true, givenReason: 'new firmware' })
    expect(screen.queryByRole('textbox')).toBeNull()
    expect(screen.getByText('Reason: new firmware')).toBeTruthy()
    await userEvent.click(verb())
    expect(onConfirm).toHaveBeenCalledWith('new firmware')
  })

  it('stays in the tab order and shows the reason when the action is not permitted', async () => {
    await open({ disabledReason: 'the instance has been switched' })
    expect(verb().getAttribute('aria-disabled')).toBe('true')
    expect(verb().hasAttribute('disabled')).toBe(false)
  })
})
