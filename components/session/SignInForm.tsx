'use client'
import { type FormEvent, useState } from 'react'
import { paths } from '../console/paths'
import { signIn } from '../console/sign-in'
import { Button } from '../ui/Button'
import { TextField } from '../ui/field/Field'
import { Note } from '../ui/Message'
import { sessionWords as words } from './words'

/**
 * Only addresses of this console: a link must not send somebody who signs in to another site. The browser's own parser
 * judges, and its result is where the browser goes: what was judged is never read a second time in another way.
 */
export function safeNext(next: string | undefined, origin: string): string {
  if (!next?.startsWith('/') || !URL.canParse(next, origin)) return paths.overview()
  const url = new URL(next, origin)
  return url.origin === origin ? url.href : paths.overview()
}

/** What was typed or filled in before this code ran: it stands in the field that the server drew, and is not to be lost. */
function typedAs(field: string): string {
  if (typeof document === 'undefined') return ''
  return document.querySelector<HTMLInputElement>(`input[name="${field}"]`)?.value ?? ''
}

export function SignInForm({ next }: { next: string | undefined }) {
  const [name, setName] = useState(() => typedAs('username'))
  const [password, setPassword] = useState(() => typedAs('password'))
  const [problem, setProblem] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setPending(true)
    setProblem(null)
    const answer = await signIn({ name: name.trim(), password })
    if (answer.ok) {
      window.location.assign(safeNext(next, window.location.origin))
      return
    }
    setPending(false)
    if (answer.retryAfterS !== null) setProblem(words.tooMany(answer.retryAfterS))
    else setProblem(answer.message === null ? words.noAnswer : words.wrong)
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <TextField
        label={words.name}
        name="username"
        autoComplete="username"
        value={name}
        onChange={setName}
        isRequired
        autoFocus
      />
      <TextField
        label={words.password}
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        isRequired
      />
      <div role="alert">
        {problem ? (
          <Note tone="bad" shape="cross">
            {problem}
          </Note>
        ) : null}
      </div>
      <Button type="submit" look="primary" isPending={pending}>
        {words.submit}
      </Button>
      <p className="m-0 text-xs text-faint">{words.firstTime}</p>
    </form>
  )
}
