import { z } from 'zod'
import { strictObject } from '@/forms/strict-object'
import { fieldsOf, type List, sortsOf } from '@/lists/list'
import { parseGroupId, parseHostId, parseInstanceId, parseMigrationId } from '../../engine/words/ids'

// Limits of inputs. Every text and every list is bounded; messages name what was expected and never repeat the input,
// which may be anything.

const TEXT_MAX = 200
const REASON_MAX = 1_000
const PAGE_MAX = 2_000
const PAGE_DEFAULT = 200
const SORTS_MAX = 6
const CONDITIONS_MAX = 20
const PATTERNS_MAX = 50
const OFFSET_MAX = 10_000_000

function idOf<T extends string>(noun: string, parse: (text: string) => T | null) {
  const message = `expected the id of ${noun}, a lower-case uuid`
  const text = z.string({ error: message }).meta({ format: 'uuid' })
  return text.transform((text, ctx): T => {
    const id = text.length > 36 ? null : parse(text)
    if (id !== null) return id
    ctx.issues.push({ code: 'custom', message, input: text })
    return z.NEVER
  })
}

export const hostId = idOf('a host', parseHostId)
export const instanceId = idOf('an instance', parseInstanceId)
export const migrationId = idOf('a migration', parseMigrationId)
export const groupId = idOf('a group', parseGroupId)
/** Ids that only the API and the store know. */
export const recordId = (noun: string) => idOf(noun, (text) => parseHostId(text) as string | null)

/** One line of text, without control characters. */
export function line(what: string, max = TEXT_MAX) {
  const message = `expected ${what}, 1 to ${max} characters on one line`
  return z
    .string({ error: message })
    .trim()
    .min(1, message)
    .max(max, message)
    .refine((text) => !/\p{Cc}/u.test(text), message)
}

/** Like a host name: it becomes the domain's name on hypervisors. */
export const instanceName = z
  .string({ error: 'expected a name' })
  .regex(
    /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/,
    'expected a name of 1 to 63 letters, digits, dots, dashes and underscores, with a letter or digit at both ends',
  )

export const reason = line('a reason', REASON_MAX)
export const query = z
  .string({ error: 'expected a text' })
  .trim()
  .max(TEXT_MAX, `expected at most ${TEXT_MAX} characters`)

export function oneOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z.enum(words, { error: `expected one of ${words.join(', ')}` })
}

/** A filter by values of an enumeration. */
export function someOf<const T extends readonly [string, ...string[]]>(words: T) {
  return z
    .array(oneOf(words), { error: `expected a list of ${words.join(', ')}` })
    .max(words.length)
    .optional()
}

export const zones = z.array(line('a zone'), { error: 'expected a list of zones' }).max(100).optional()

export const wholeNumber = (what: string, least: number, most: number) => {
  const message = `expected ${what}, a whole number from ${least} to ${most}`
  return z.number({ error: message }).int(message).min(least, message).max(most, message)
}

export const bytesPerS = wholeNumber('bytes per second', 0, 1e12)
export const limit = wholeNumber('a limit', 0, PAGE_MAX)

export function paged<const T extends readonly [string, ...string[]]>(sorts: T) {
  return {
    sort: oneOf(sorts).optional(),
    dir: oneOf(['asc', 'desc']).optional(),
    order: z
      .array(object({ by: oneOf(sorts), dir: oneOf(['asc', 'desc']) }), { error: 'expected a list of columns' })
      .max(SORTS_MAX, `expected at most ${SORTS_MAX} columns to sort by`)
      .optional(),
    offset: wholeNumber('an offset', 0, OFFSET_MAX).default(0),
    limit: limit.default(PAGE_DEFAULT),
  }
}

/** Conditions on the named fields of a list; see server/store/database/condition.ts for what a pattern is. */
export function conditions<const T extends readonly [string, ...string[]]>(fields: T) {
  const pattern = query.min(1, 'expected a text to compare with')
  const any = z
    .array(pattern, { error: 'expected a list of texts' })
    .min(1, 'expected at least one text')
    .max(PATTERNS_MAX, `expected at most ${PATTERNS_MAX} texts`)
  return z
    .array(object({ key: oneOf(fields), any, not: z.boolean({ error: 'expected true or false' }).optional() }), {
      error: 'expected a list of conditions',
    })
    .max(CONDITIONS_MAX, `expected at most ${CONDITIONS_MAX} conditions`)
    .optional()
}

/** Parameters of every list: conditions on its fields, order and page. */
export const listed = <const L extends List>(list: L) => ({
  where: conditions(fieldsOf(list)),
  ...paged(sortsOf(list)),
})

/** Position in the event sequence. */
export const sequence = z
  .string({ error: 'expected an event sequence' })
  .regex(/^\d{1,18}$/, 'expected an event sequence, a number')

export const object = strictObject

/** A CPU or device of a host, as on the map. */
export const unitName = z
  .string({ error: 'expected the name of a CPU or device' })
  .max(200, 'expected the name of a CPU or device')
  .regex(/^[a-z]+:\S+$/, 'expected the name of a CPU or device, such as cpu:12')
