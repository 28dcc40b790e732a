import fs from 'node:fs'
import { isEntry } from './clouds-file'
import { Secret } from './secret'

interface SecretAt {
  readonly key: string
  readonly note: (key: string, what: string) => void
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** A text of a settings file, or where it stands: `{ env: NAME }`, `{ file: PATH }`. Empty where something is noted. */
export function secretIn(value: unknown, { key, note, environment }: SecretAt): Secret {
  const { env, file } = isEntry(value) ? value : {}
  if (typeof value === 'string' && value !== '') return new Secret(value)
  if (typeof env === 'string' && environment[env]) return new Secret(environment[env])
  if (typeof env === 'string') note(`${key}.env`, 'expected a variable that is set')
  else if (typeof file === 'string') {
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').replace(/\r?\n$/, '') : ''
    if (text !== '') return new Secret(text)
    note(`${key}.file`, 'expected a file that is there and not empty')
  } else note(key, 'expected a text, or env or file with where it stands')
  return new Secret('')
}
