'use client'
import { type FormEvent, type ReactNode, useState } from 'react'
import { paths } from '../console/paths'
import { Button } from '../ui/Button'
import { TextField } from '../ui/field/Field'
import { type SignInAnswer, sendCode, signIn, signInKeystone } from './sign-in'
import { refusedWords, sessionWords as words } from './words'

/**
 * Only addresses of this console: a link must not redirect a user to another site on sign-in. The browser's own parser
 * decides, and its result is the redirect: the checked address is never parsed again in another way.
 */
export function safeNext(next: string | undefined, origin: string): string {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return paths.overview()
  const url = new URL(next, origin)
  return url.origin === origin ? url.href : paths.overview()
}

/** Text entered or filled in before this code ran, read from the server-rendered field so that it is not lost. */
function typedAs(field: string): string {
  if (typeof document === 'undefined') return ''
  return document.querySelector<HTMLInputElement>(`input[name="${field}"]`)?.value ?? ''
}

export interface StepProps {
  readonly enter: ReturnType<typeof useEntry>
  readonly alert: ReactNode
}

/** One attempt at a time: its result, and the next required input. */
export function useEntry(next: string | undefined, onCode: () => void) {
  const [problem, setProblem] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const attempt = async (ask: () => Promise<SignInAnswer | { readonly why: string }>, wrong: string) => {
    setPending(true)
    setProblem(null)
    const answer = await ask()
    if ('why' in answer) {
      setPending(false)
      setProblem(answer.why)
      return
    }
    if (answer.ok) {
      window.location.assign(safeNext(next, window.location.origin))
      return
    }
    setPending(false)
    if (answer.needsCode) onCode()
    else if (answer.retryAfterS !== null) setProblem(words.tooMany(answer.retryAfterS))
    else setProblem(answer.code === null ? words.noAnswer : (refusedWords[answer.code] ?? wrong))
  }
  const by = (event: FormEvent, ask: () => Promise<SignInAnswer>, wrong: string) => {
    event.preventDefault()
    return attempt(ask, wrong)
  }
  return { by, attempt, problem, pending }
}

export function PasswordForm({ enter, alert }: StepProps) {
  const [name, setName] = useState(() => typedAs('username'))
  const [password, setPassword] = useState(() => typedAs('password'))
  return (
    <form
      onSubmit={(event) => enter.by(event, () => signIn({ name: name.trim(), password }), words.wrong)}
      className="flex flex-col gap-3"
    >
      <TextField
        label={words.name}
        name="username"
        autoComplete="username"
        value={name}
        onChange={setName}
        isRequired
        autoFocus
      />
      <PasswordField value={password} onChange={setPassword} />
      {alert}
      <Submit enter={enter} />
    </form>
  )
}

export function KeystoneForm({ enter, alert, domain: defaultDomain }: StepProps & { readonly domain: string }) {
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [domain, setDomain] = useState(defaultDomain)
  const ask = () => signInKeystone({ username: username.trim(), password, domain: domain.trim() })
  return (
    <form onSubmit={(event) => enter.by(event, ask, words.wrong)} className="flex flex-col gap-3">
      <TextField
        label={words.openStackUser}
        name="openstack-user"
        autoComplete="username"
        value={username}
        onChange={setUsername}
        isRequired
        autoFocus
      />
      <TextField label={words.domain} name="domain" autoComplete="off" value={domain} onChange={setDomain} isRequired />
      <PasswordField value={password} onChange={setPassword} />
      {alert}
      <Submit enter={enter} />
    </form>
  )
}

export function CodeForm({ enter, alert }: StepProps) {
  const [code, setCode] = useState('')
  return (
    <form onSubmit={(event) => enter.by(event, () => sendCode(code), words.wrongCode)} className="flex flex-col gap-3">
      <TextField
        label={words.code}
        help={words.codeHelp}
        name="code"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        isRequired
        autoFocus
        mono
      />
      {alert}
      <Submit enter={enter} />
    </form>
  )
}

const PasswordField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <TextField
    label={words.password}
    name="password"
    type="password"
    autoComplete="current-password"
    value={value}
    onChange={onChange}
    isRequired
  />
)

const Submit = ({ enter }: Pick<StepProps, 'enter'>) => (
  <Button type="submit" variant="primary" isPending={enter.pending}>
    {words.submit}
  </Button>
)
