'use client'
import { QRCodeSVG } from 'qrcode.react'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/Button'
import { Copyable } from '../ui/Copyable'
import { TextField } from '../ui/field/Field'
import { Note } from '../ui/Message'
import { Dialog } from '../ui/overlay/Dialog'
import { showToast } from '../ui/overlay/Toasts'
import {
  type Answer,
  disableTwoFactor,
  enableTwoFactor,
  renewBackupCodes,
  startTwoFactor,
  type TwoFactorSetup,
} from './auth'
import { SubmitForm } from './SubmitForm'
import { twoFactorWords as words } from './words'

export type TwoFactorTask = 'enable' | 'disable' | 'renew'

interface Props {
  readonly task: TwoFactorTask
  readonly onChange: () => void
  readonly onClose: () => void
}

/** The password first, then the picture and the first code, then the backup codes, which are shown once. */
export function TwoFactorDialog({ task, onChange, onClose }: Props) {
  const [begun, setBegun] = useState<TwoFactorSetup | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const title = { enable: words.enable, disable: words.disable, renew: words.renew }[task]
  const done = () => {
    onChange()
    onClose()
  }
  const disabled = () => {
    showToast('ok', words.disabled)
    done()
  }
  const enabled = () => {
    showToast('ok', words.enabled)
    onChange()
    setCodes(begun?.backupCodes ?? [])
  }
  if (codes) return <BackupCodes codes={codes} onClose={done} />
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      {begun ? (
        <Scan uri={begun.totpURI} onDone={enabled} />
      ) : task === 'enable' ? (
        <PasswordForm submitLabel={words.confirm} submit={startTwoFactor} onDone={setBegun} />
      ) : task === 'renew' ? (
        <PasswordForm submitLabel={words.renew} submit={renewBackupCodes} onDone={(done) => setCodes(done.backupCodes)}>
          {words.renews}
        </PasswordForm>
      ) : (
        <PasswordForm submitLabel={words.disable} submit={disableTwoFactor} onDone={disabled}>
          {words.disables}
        </PasswordForm>
      )}
    </Dialog>
  )
}

interface PasswordFormProps<T> {
  readonly submitLabel: string
  readonly submit: (password: string) => Promise<Answer<T>>
  readonly onDone: (value: T) => void
  readonly children?: ReactNode
}

function PasswordForm<T>({ submitLabel, submit, onDone, children }: PasswordFormProps<T>) {
  const [password, setPassword] = useState('')
  const disabledReason = password === '' ? words.enterPassword : null
  return (
    <SubmitForm {...{ submitLabel, disabledReason, onDone }} submit={() => submit(password)}>
      {children ? <p className="m-0">{children}</p> : null}
      <TextField
        type="password"
        label={words.password}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        autoFocus
      />
    </SubmitForm>
  )
}

function Scan({ uri, onDone }: { uri: string; onDone: () => void }) {
  const [code, setCode] = useState('')
  return (
    <SubmitForm
      submitLabel={words.verify}
      disabledReason={code === '' ? words.enterCode : null}
      submit={() => enableTwoFactor(code)}
      onDone={onDone}
    >
      <p className="m-0">{words.scan}</p>
      {/* Cameras read dark on light only. */}
      <div className="self-center rounded-md bg-white p-3">
        <QRCodeSVG value={uri} size={176} title={words.picture} role="img" />
      </div>
      <div className="flex items-baseline gap-3 text-xs">
        <span className="text-soft">{words.key}</span>
        <Copyable text={new URL(uri).searchParams.get('secret') ?? ''} label={words.key} whole />
      </div>
      <TextField
        label={words.code}
        autoComplete="one-time-code"
        inputMode="numeric"
        mono
        value={code}
        onChange={setCode}
        autoFocus
      />
    </SubmitForm>
  )
}

function BackupCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={words.codesTitle}
      foot={
        <Button variant="primary" onPress={onClose}>
          {words.stored}
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        <Note tone="warn" shape="triangle">
          {words.codes}
        </Note>
        <ul className="m-0 grid list-none grid-cols-2 gap-x-6 gap-y-1 rounded-md border border-line bg-sunken p-3 font-mono text-sm">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <Copyable text={codes.join('\n')} short={words.codesTitle} label={words.copyAll} />
      </div>
    </Dialog>
  )
}
