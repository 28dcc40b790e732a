import fs from 'node:fs'
import { type Entry, isEntry, parseSettings, type SettingsProblem } from './clouds-file'
import { Secret } from './secret'

// A configuration file of the server, read once at startup: names below one key, with settings below each. All mistakes
// are reported at once and stop the startup, without the values, which may be passwords.

export type Note = (key: string, what: string) => void
export type Environment = Readonly<Record<string, string | undefined>>

interface ServerFile {
  readonly path: string
  /** The top-level key. */
  readonly section: string
  /** Description of the expected contents, for messages. */
  readonly expected: string
  /** Subject of the file, such as `how hosts are fenced`. */
  readonly subject: string
  readonly guide: string
}

/** The result of `read` for each entry; throws with every mistake of the file. */
export function readServerFile<T>(
  { path, section, expected, subject, guide }: ServerFile,
  read: (value: unknown, note: Note, name: string) => T,
): readonly T[] {
  const problems: SettingsProblem[] = []
  const noteIn: Note = (key, what) => void problems.push({ file: path, key, what, fix: '' })
  const parsed = parseSettings({ path, text: fs.readFileSync(path, 'utf8') })
  if (!parsed.ok) problems.push(...parsed.problems)
  const { [section]: named, ...others } = parsed.ok ? parsed.value : {}
  for (const key of Object.keys(others)) noteIn(key, `there is no such key; ${section} are listed below "${section}"`)
  if (parsed.ok && !isEntry(named)) noteIn(section, expected)
  const entries = Object.entries(isEntry(named) ? named : {}).map(([name, value]) =>
    read(value, (key, what) => noteIn(`${section}.${name}${key === '' ? '' : `.${key}`}`, what), name),
  )
  if (problems.length === 0) return entries
  const lines = problems.map(({ file, key, what }) => `${file}${key === '' ? '' : `: ${key}`}: ${what}.`)
  throw new Error(`Berth does not start: ${subject} is not valid.\n  ${lines.join('\n  ')}\n${guide} explains it.`)
}

export function noteUnknownKeys(keys: readonly string[], entry: Entry, note: Note): void {
  for (const key of Object.keys(entry)) if (!keys.includes(key)) note(key, 'there is no such key')
}

interface SecretAt {
  readonly key: string
  readonly note: Note
  readonly environment: Environment
}

/** A value of such a file, or where to find it: `{ env: NAME }`, `{ file: PATH }`. Empty if a mistake was noted. */
export function secretIn(value: unknown, { key, note, environment }: SecretAt): Secret {
  const { env, file } = isEntry(value) ? value : {}
  if (typeof value === 'string' && value !== '') return new Secret(value)
  if (typeof env === 'string' && environment[env]) return new Secret(environment[env])
  if (typeof env === 'string') note(`${key}.env`, 'expected a variable that is set')
  else if (typeof file === 'string') {
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').replace(/\r?\n$/, '') : ''
    if (text !== '') return new Secret(text)
    note(`${key}.file`, 'expected a file that exists and is not empty')
  } else note(key, 'expected a text, or env or file with where it stands')
  return new Secret('')
}
