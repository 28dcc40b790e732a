import { isNode, isScalar, parseDocument, visit } from 'yaml'

// clouds.yaml, secure.yaml and clouds-public.yaml as openstacksdk reads them: YAML 1.1 (yes, no, `<<`), secure.yaml
// merged over clouds.yaml key by key, dashes in keys as underscores. An error names file and key, but never the value.

/** What is wrong with a file, and the remedy. */
export interface SettingsProblem {
  readonly file: string
  /** Dotted, as in `clouds.prod.auth.auth_url`; empty for the file as a whole. */
  readonly key: string
  readonly what: string
  readonly fix: string
}

/** Where a value is, for messages. */
export interface Reading {
  readonly file: string
  readonly path: string
}

export const problemAt = (
  { file, path }: Reading,
  key: string,
  [what, fix]: readonly [string, string],
): SettingsProblem => ({
  ...{ file, key: `${path}.${key}`, what, fix },
})

export type Entry = { readonly [key: string]: unknown }

export interface SettingsFile {
  readonly path: string
  readonly text: string
}

export interface CloudsFiles {
  readonly clouds: SettingsFile
  readonly secure: SettingsFile | null
  /** Vendor profiles; without one, a cloud that names a profile cannot be read. */
  readonly profiles: SettingsFile | null
}

export interface Clouds {
  readonly clouds: Readonly<Record<string, Entry>>
  readonly profiles: Readonly<Record<string, Entry>>
}

export type ReadResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly SettingsProblem[] }

/** No text of the database has these. A file has them behind an escape, such as "\\0". */
const UNSTORABLE = /\0|\p{Surrogate}/u
const MAX_CHARACTERS = 1_000_000

export function readClouds({ clouds, secure, profiles }: CloudsFiles): ReadResult<Clouds> {
  const read = [clouds, secure, profiles].map((file) =>
    file === null ? { ok: true as const, value: {} } : parseSettings(file),
  )
  const problems = read.flatMap((each) => (each.ok ? [] : each.problems))
  if (problems.length > 0) return { ok: false, problems }
  const [open = {}, hidden = {}, vendors = {}] = read.map((each) => (each.ok ? each.value : {}))
  const merged = merge(section(open, 'clouds'), section(hidden, 'clouds'))
  if (Object.keys(merged).length === 0)
    return wrong({
      file: clouds.path,
      key: 'clouds',
      what: 'no cloud is defined',
      fix: 'add one below the key "clouds"',
    })
  return { ok: true, value: { clouds: entries(merged), profiles: entries(section(vendors, 'public_clouds')) } }
}

export const wrong = (...problems: readonly SettingsProblem[]) => ({ ok: false as const, problems })

/** Any file of the same form: names at the first level, and settings below them. */
export function parseSettings({ path, text }: SettingsFile): ReadResult<Entry> {
  if (text.length > MAX_CHARACTERS)
    return wrong({ file: path, key: '', what: 'the file is larger than 1 MB', fix: 'check that it is the right file' })
  // Pretty errors quote the line, which may contain a password.
  const document = parseDocument(text, { version: '1.1', prettyErrors: false, logLevel: 'silent' })
  const [error] = document.errors
  if (error) {
    const line = text.slice(0, error.pos[0]).split('\n').length
    const what = `line ${line} is not valid YAML (${error.code})`
    return wrong({ file: path, key: '', what, fix: 'correct the line' })
  }
  let oddKey: number | null = null
  let unstorable: number | null = null
  visit(document, {
    // Messages name keys, and a mapping or a value behind "?" may be one: it could be all settings of a cloud.
    Pair(_, { key }) {
      const at = isNode(key) ? (key.range?.[0] ?? 0) : 0
      const isPlain = isScalar(key) && !text.slice(0, at).trimEnd().endsWith('?')
      if (!isPlain && oddKey === null) oddKey = text.slice(0, at).split('\n').length
    },
    // A password of digits is a string, and so is a lone y or n, as in PyYAML. If YAML reads the digits as another
    // number (a leading zero means octal), it is refused later.
    Scalar(_, node) {
      if (!isScalar(node) || node.source === undefined) return
      if (UNSTORABLE.test(String(node.value))) unstorable ??= text.slice(0, node.range?.[0] ?? 0).split('\n').length
      const isPlainNumber = typeof node.value === 'number' && String(node.value) === node.source
      if (isPlainNumber || /^[yn]$/i.test(node.source)) node.value = node.source
    },
  })
  if (oddKey !== null) {
    const what = `line ${oddKey} has a key that is no plain name`
    return wrong({ file: path, key: '', what, fix: 'write it as name: value, without "?"' })
  }
  if (unstorable !== null) {
    const what = `line ${unstorable} has the character NUL or half a surrogate pair`
    return wrong({ file: path, key: '', what, fix: 'write it without this escape' })
  }
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    if (isEntry(value)) return { ok: true, value: underscored(value) }
  } catch {
    return wrong({
      file: path,
      key: '',
      what: 'its aliases (*) do not resolve',
      fix: 'correct the anchors and aliases',
    })
  }
  return wrong({ file: path, key: '', what: 'it is not a mapping', fix: 'write keys at its top, as in its example' })
}

export const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const section = (entry: Entry, key: string): Entry => {
  const value = entry[key]
  return isEntry(value) ? value : {}
}

const entries = (entry: Entry): Readonly<Record<string, Entry>> =>
  Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, isEntry(value) ? value : {}]))

/** Names of clouds, profiles and regions keep their dashes; the keys below them do not. */
function underscored(entry: Entry, depth = 0): Entry {
  const isNames = depth === 1
  return Object.fromEntries(
    Object.entries(entry).map(([key, value]) => [
      isNames ? key : key.replaceAll('-', '_'),
      isEntry(value) ? underscored(value, depth + 1) : value,
    ]),
  )
}

/** `over` wins; mappings in both are merged recursively. */
export function merge(under: Entry, over: Entry): Entry {
  const both = Object.entries(over).map(([key, value]) => {
    const below = under[key]
    return [key, isEntry(below) && isEntry(value) ? merge(below, value) : value] as const
  })
  return { ...under, ...Object.fromEntries(both) }
}
