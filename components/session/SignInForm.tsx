'use client'
import { useState } from 'react'
import { useIsSSR } from 'react-aria'
import type { SignInMethods } from '@/server/api/http/endpoints'
import { canUsePasskeys } from '../console/passkey'
import { Button } from '../ui/Button'
import { ButtonLink } from '../ui/Link'
import { Note } from '../ui/Message'
import { signInWithPasskey } from './sign-in'
import { CodeForm, KeystoneForm, PasswordForm, useEntry } from './steps'
import { refusedWords, sessionWords as words } from './words'

export interface SignInFormProps {
  readonly next: string | undefined
  readonly methods: SignInMethods
  /** Why a user who returned from a provider was not signed in. */
  readonly problem: string | undefined
}

export function SignInForm({ next, methods, problem }: SignInFormProps) {
  const [step, setStep] = useState<'password' | 'keystone' | 'code'>('password')
  const enter = useEntry(next, () => setStep('code'))
  const onServer = useIsSSR()
  const passkey = !onServer && methods.passkey !== null && canUsePasskeys(methods.passkey.domain)
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
      {step === 'keystone' && methods.keystone ? (
        <KeystoneForm {...props} domain={methods.keystone.domain} />
      ) : (
        <PasswordForm {...props} />
      )}
      {passkey || methods.oidc || methods.keystone ? (
        <div className="flex flex-col gap-2 border-t border-line pt-4">
          {passkey ? (
            <Button onPress={() => enter.attempt(() => signInWithPasskey(words.noPasskey), words.wrongPasskey)}>
              {words.withPasskey}
            </Button>
          ) : null}
          {methods.oidc ? (
            <ButtonLink leaves href={`/api/auth/sign-in/oidc?next=${encodeURIComponent(next ?? '/')}`}>
              {words.signInWith(methods.oidc.name)}
            </ButtonLink>
          ) : null}
          {methods.keystone ? (
            <Button onPress={() => setStep(step === 'keystone' ? 'password' : 'keystone')}>
              {step === 'keystone' ? words.withPassword : words.signInWith(methods.keystone.name)}
            </Button>
          ) : null}
        </div>
      ) : null}
      {methods.oidc || methods.keystone ? null : <p className="m-0 text-xs text-faint">{words.firstTime}</p>}
    </div>
  )
}
