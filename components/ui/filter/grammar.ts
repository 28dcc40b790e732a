// Filter text as terms: `host:h-0* state:waiting,failed -zone:a "free text"`. Pure: text to terms and back. The list
// defines the meaning of a key and its values (`check-terms.ts`).

export interface Term {
  /** Lower case; null is free text. */
  readonly key: string | null
  /** Any of these. Free text has exactly one; a key without a value has none. */
  readonly values: readonly string[]
  /** A leading minus: everything but this. */
  readonly not: boolean
}

/** A key starts with a letter, so that the address `0000:3b:00.1` is free text. */
const KEY = /^([a-z][a-z-]*):/i
const SPACE = /\s/

/** Terms in typing order. Every text is a valid filter: an unclosed quote ends with the text. */
export function parseFilter(text: string): readonly Term[] {
  return tokensOf(text).map(termOf)
}

/** The text of the terms, such that parsing it returns them. */
export function formatFilter(terms: readonly Term[]): string {
  return terms.map(formatTerm).join(' ')
}

export function formatTerm({ key, values, not }: Term): string {
  const sign = not ? '-' : ''
  if (key === null) return sign + quoted(values[0] ?? '', (value) => value.startsWith('-') || KEY.test(value))
  return `${sign}${key}:${values.map((value) => quoted(value, (bare) => bare.includes(','))).join(',')}`
}

/** Whether the last quote is still open, so that a space belongs to the text and does not end the term. */
export function isQuoteOpen(text: string): boolean {
  let open = false
  for (let at = 0; at < text.length; at++) {
    if (open && text[at] === '\\') at += 1
    else if (text[at] === '"') open = !open
  }
  return open
}

function tokensOf(text: string): readonly string[] {
  const tokens: string[] = []
  let start = 0
  for (let at = 0; at <= text.length; at++) {
    const ends = at === text.length || (SPACE.test(text[at] ?? '') && !isQuoteOpen(text.slice(start, at)))
    if (!ends) continue
    if (at > start) tokens.push(text.slice(start, at))
    start = at + 1
  }
  return tokens
}

function termOf(token: string): Term {
  const not = token.length > 1 && token.startsWith('-')
  const body = not ? token.slice(1) : token
  const key = KEY.exec(body)
  if (!key?.[1]) return { key: null, values: [bare(body)], not }
  const rest = body.slice(key[0].length)
  return { key: key[1].toLowerCase(), values: rest === '' ? [] : splitValues(rest).map(bare), not }
}

function splitValues(text: string): readonly string[] {
  const values: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== ',' || isQuoteOpen(text.slice(start, at))) continue
    values.push(text.slice(start, at))
    start = at + 1
  }
  return [...values, text.slice(start)]
}

/** The value without its quotes; inside them a backslash escapes the next character. */
function bare(text: string): string {
  let value = ''
  let open = false
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] ?? ''
    if (letter === '"') open = !open
    else if (open && letter === '\\' && at + 1 < text.length) value += text[++at]
    else value += letter
  }
  return value
}

function quoted(value: string, isSpecial: (value: string) => boolean): string {
  const plain = value !== '' && !SPACE.test(value) && !value.includes('"') && !isSpecial(value)
  return plain ? value : `"${value.replace(/["\\]/g, (letter) => `\\${letter}`)}"`
}
