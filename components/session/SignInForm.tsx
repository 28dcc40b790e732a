'use client'
import { useState } from 'react'
import { useIsSSR } from 'react-aria'
import type { SignInDoors } from '@/server/api/http/doors'
import { canUsePasskeys } from '../console/passkey'
import { signInWithPasskey } from '../console/sign-in'
import { Button } from '../ui/Button'
import { ButtonLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { CodeForm, KeystoneForm, PasswordForm, useEntry } from './steps'
import { refusedWords, sessionWords as words } from './words'

export interface SignInFormProps {
  readonly next: string | undefined
  readonly doors: SignInDoors
  /** Why a user who returned from a provider was not signed in. */
  readonly problem: string | undefined
}

export function SignInForm({ next, doors, problem }: SignInFormProps) {
  const [step, setStep] = useState<'password' | 'keystone' | 'code'>('password')
  const enter = useEntry(next, () => setStep('code'))
  const onServer = useIsSSR()
  const passkey = !onServer && doors.passkey !== null && canUsePasskeys(doors.passkey.domain)
  const shown =
    enter.problem ?? (problem === undefined ? null : (refusedWords[problem] ?? refusedWords.provider ?? null))
  const alert = (
    <div role="alert">
      {shown ? (
        <Note tone="bad" shape="cross">
          {shown}
        </Note>
      ) : null}
    </div>
  )
  const props = { enter, alert }
  if (step === 'code') return <CodeForm {...props} />
  return (
    <div className="flex flex-col gap-4">
      {step === 'keystone' && doors.keystone ? (
        <KeystoneForm {...props} domain={doors.keystone.domain} />
      ) : (
        <PasswordForm {...props} />
      )}
      {passkey || doors.oidc || doors.keystone ? (
        <div className="flex flex-col gap-2 border-t border-line pt-4">
          {passkey ? (
            <Button onPress={() => enter.attempt(() => signInWithPasskey(words.noPasskey), words.wrongPasskey)}>
              {words.withPasskey}
            </Button>
          ) : null}
          {doors.oidc ? (
            <ButtonLink leaves href={`/api/auth/sign-in/oidc?next=${encodeURIComponent(next ?? '/')}`}>
              {words.signInWith(doors.oidc.name)}
            </ButtonLink>
          ) : null}
          {doors.keystone ? (
            <Button onPress={() => setStep(step === 'keystone' ? 'password' : 'keystone')}>
              {step === 'keystone' ? words.withPassword : words.signInWith(doors.keystone.name)}
            </Button>
          ) : null}
        </div>
      ) : null}
      {doors.oidc || doors.keystone ? null : <p className="m-0 text-xs text-faint">{words.firstTime}</p>}
    </div>
  )
}
