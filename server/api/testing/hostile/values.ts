// Seeded hostile values: the same seed makes the same attack.

export type Rng = () => number

export const pick = <T>(rng: Rng, all: readonly T[]): T => all[Math.floor(rng() * all.length)] as T

export const TEXTS = [
  ...[
    '',
    ' ',
    'a',
    'std-01',
    'm1',
    'up',
    'all',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff',
    '\u202e',
    '😀',
    '%',
    '_',
    '%%%',
    "'; --",
    '"',
  ],
  ...[
    '../../etc/passwd',
    '#{7*7}',
    '{{7}}',
    '<script>',
    'javascript:1',
    '\r\nX: y',
    '1e309',
    'NaN',
    '-0',
    '(((((',
    '\\',
    '*',
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '0'.repeat(40),
    'x'.repeat(300),
    'é'.repeat(5_000),
    '\n',
  ],
]
export const NUMBERS = [
  ...[
    0,
    -0,
    -1,
    1,
    0.5,
    Number.POSITIVE_INFINITY,
    Number.NaN,
    2 ** 31,
    2 ** 32,
    2 ** 53,
    2 ** 53 + 2,
    2 ** 62,
    2 ** 63,
    1e300,
  ],
  ...[Number.MIN_VALUE, Date.now(), 8.64e15 + 1, -1e15],
]

export function hostileValue(rng: Rng, depth = 0): unknown {
  const kind = Math.floor(rng() * (depth > 3 ? 5 : 9))
  if (kind <= 1) return pick(rng, TEXTS)
  if (kind <= 3) return pick(rng, NUMBERS)
  if (kind === 4) return pick(rng, [null, true, false, [], {}])
  if (kind <= 6) return Array.from({ length: Math.floor(rng() * 4) }, () => hostileValue(rng, depth + 1))
  if (kind === 7) return nested(pick(rng, [10, 70, 800]))
  return Object.fromEntries(Array.from({ length: 3 }, () => [pick(rng, TEXTS), hostileValue(rng, depth + 1)]))
}

const nested = (levels: number): unknown => JSON.parse(`${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}`) as unknown

/** With escapes that a JSON parser accepts and `JSON.stringify` would not write. */
export const jsonOf = (value: unknown) => JSON.stringify(value) ?? ''

export const ESCAPED = ['%00', '%ff', '%c0%80', '%', '%e0%80%af', '%2e%2e%2f', '%0d%0aX:%20y', '%u0041', '%f0%9f%98%80']
export const MEDIA = [
  ...['application/json', 'application/json; charset=utf-16', 'text/plain', 'multipart/form-data; boundary=x'],
  ...['application/x-www-form-urlencoded', '', 'application/xml', '\u00ff', 'application/json;;;'],
]
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND']

export function hostileBody(rng: Rng): Buffer {
  switch (Math.floor(rng() * 8)) {
    case 0:
      return Buffer.alloc(0)
    case 1:
      return Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x00, 0x22, 0x7d])
    case 2:
      return Buffer.from('{"a":'.repeat(3_000))
    case 3:
      return Buffer.from(`{"a":"${'x'.repeat(Math.floor(rng() * 40_000))}"}`)
    case 4:
      return Buffer.from('\ufeff{}', 'utf16le')
    case 5:
      return Buffer.from('{"__proto__":{"role":"admin"},"constructor":{"prototype":{"role":"admin"}}}')
    default:
      return Buffer.from(jsonOf(hostileValue(rng)))
  }
}

/** `encodeURIComponent` refuses half of a surrogate pair. */
export const uriEncoded = (text: string) => encodeURIComponent(Buffer.from(text).toString())
