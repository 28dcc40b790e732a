import { catalogWords as words } from './words'

// Extra specs and device specs as lines of text.

export type ParseResult<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly why: string }

type Keys = Readonly<Record<string, string>>

/** `key=value`, in the form of `openstack flavor set --property`; the value may contain further equals signs. */
function readPair(text: string): readonly [string, string] | null {
  const at = text.indexOf('=')
  const [key, value] = [text.slice(0, at).trim(), text.slice(at + 1).trim()]
  return at < 1 || key === '' || value === '' ? null : [key, value]
}

function readPairs(parts: readonly string[]): ParseResult<Keys> {
  const keys: [string, string][] = []
  for (const part of parts) {
    const pair = readPair(part)
    if (pair === null) return { ok: false, why: words.badLine(part) }
    keys.push([...pair])
  }
  return { ok: true, value: Object.fromEntries(keys) }
}

const linesOf = (text: string) => text.split('\n').flatMap((line) => line.trim() || [])

/** One pair per line. */
export const readSpecs = (text: string): ParseResult<Keys> => readPairs(linesOf(text))

export const specsText = (specs: Keys): string =>
  Object.entries(specs)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n')

/** One device per line, its pairs separated by spaces. */
export function readDevices(text: string): ParseResult<readonly Keys[]> {
  const all: Keys[] = []
  for (const line of linesOf(text)) {
    const read = readPairs(line.split(/\s+/))
    if (!read.ok) return read
    all.push(read.value)
  }
  return { ok: true, value: all }
}

export const devicesText = (spec: readonly Keys[]): string =>
  spec.map((keys) => specsText(keys).replaceAll('\n', ' ')).join('\n')
