'use client'
import { useState } from 'react'
import { TextField } from '../ui/field/Field'
import { showToast } from '../ui/overlay/Toasts'
import { Panel } from '../ui/Panel'
import { changePassword } from './auth'
import { SubmitForm } from './SubmitForm'
import { passwordWords as words } from './words'

const EMPTY = { current: '', next: '', again: '' }

export function PasswordPanel({ onChange }: { onChange: () => void }) {
  const [asked, setAsked] = useState(EMPTY)
  const { current, next, again } = asked
  const done = () => {
    setAsked(EMPTY)
    showToast('ok', words.changed)
    onChange()
  }
  const field = (key: keyof typeof EMPTY, autoComplete: string, help?: string) => (
    <TextField
      type="password"
      label={words[key]}
      autoComplete={autoComplete}
      value={asked[key]}
      onChange={(text) => setAsked({ ...asked, [key]: text })}
      {...(help ? { help } : {})}
    />
  )
  return (
    <Panel title={words.title}>
      <SubmitForm
        submitLabel={words.change}
        disabledReason={Object.values(asked).includes('') ? words.fill : next === again ? null : words.differ}
        submit={() => changePassword(current, next)}
        onDone={done}
      >
        {field('current', 'current-password')}
        {field('next', 'new-password', words.help)}
        {field('again', 'new-password')}
      </SubmitForm>
    </Panel>
  )
}
