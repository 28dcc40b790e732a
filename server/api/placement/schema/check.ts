import { isUtf8 } from 'node:buffer'
import Ajv, { type ErrorObject, type ValidateFunction } from 'ajv'
import { badRequest } from '../problem'
import { isUuidLike } from './ids'
import { indexed, pythonText } from './python-text'

// Validates requests by JSON Schema. The validator is Ajv; errors are worded like the original's validator, because
// clients parse them.

export type SchemaObject = Readonly<Record<string, unknown>>

/** A schema, compiled on first use. */
export class Schema {
  readonly source: SchemaObject
  #validate: ValidateFunction | undefined

  constructor(source: SchemaObject) {
    this.source = source
  }

  /** The most relevant error of the value, or null. */
  wrongWith(value: unknown): string | null {
    this.#validate ??= AJV.compile(this.source)
    if (this.#validate(value)) return null
    const errors = merged(this.#validate.errors ?? [])
    const gravest = gravestOf(errors.filter(({ schemaPath }) => !schemaPath.includes('/anyOf/')))
    if (gravest?.keyword !== 'anyOf') return gravest ? describeError(gravest) : null
    // Of several alternatives, the one with the value's type counts.
    const meant = errors.find((each) => each.schemaPath.startsWith(`${gravest.schemaPath}/`) && each.keyword !== 'type')
    return describeError(meant ?? gravest)
  }
}

// Shared: each instance would compile the meta-schema again. Our own schemas need no validation.
const AJV = new Ajv({
  ...{ allErrors: true, verbose: true, strict: false, strictNumbers: true, formats: { uuid: isUuidLike } },
  ...{ meta: false, validateSchema: false, addUsedSchema: false },
})

/** The validated body. Throws 400 with the most relevant error. */
export function checkedJson<T>(body: Buffer, schema: Schema): T {
  const value = jsonOf(body)
  const wrong = schema.wrongWith(value)
  if (wrong !== null) throw badRequest(`JSON does not validate: ${wrong}`)
  if (body.includes(ESCAPED)) requireStorable(value)
  return value as T
}

const ESCAPED = '\\u'
// After serialization, only texts with NUL or half a surrogate pair contain such an escape.
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/** No text of the database can have NUL or half a surrogate pair, and none is stored changed. */
function requireStorable(value: unknown): void {
  if (!UNSTORABLE_ESCAPE.test(JSON.stringify(value))) return
  throw badRequest('A text in the body has the character NUL or half a surrogate pair, which cannot be kept.')
}

function jsonOf(body: Buffer): unknown {
  if (!isUtf8(body)) throw badRequest('Malformed JSON: the body is not UTF-8')
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw badRequest(`Malformed JSON: ${(error as Error).message}`)
  }
}

/** The query as an object; the last value of a repeated key counts. */
export function checkQuery(values: Readonly<Record<string, string>>, schema: Schema): void {
  const wrong = schema.wrongWith(values)
  if (wrong !== null) throw badRequest(`Invalid query string parameters: ${wrong}`)
}

const steps = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
const depth = ({ instancePath }: ErrorObject) => steps(instancePath).length
// For two errors at one place, the original reports the one that its schema names first.
const rank = ({ keyword, parentSchema }: ErrorObject) => Object.keys(parentSchema ?? {}).indexOf(keyword)

/** Nearest to the top; at equal depth, a wrong type; of these the first, as in the original's validator. */
function gravestOf(errors: readonly ErrorObject[]): ErrorObject | undefined {
  // Not as arguments of one call: a body may have a hundred thousand errors.
  const nearest = errors.reduce((least, error) => Math.min(least, depth(error)), Number.POSITIVE_INFINITY)
  const near = errors.filter((error) => depth(error) === nearest)
  const first = near.find(({ keyword }) => keyword === 'type') ?? near[0]
  return near
    .filter(({ instancePath }) => instancePath === first?.instancePath)
    .reduce<ErrorObject | undefined>((best, each) => (best && rank(best) <= rank(each) ? best : each), undefined)
}

/** Ajv reports each additional property separately. */
function merged(errors: readonly ErrorObject[]): ErrorObject[] {
  const extras = new Map<string, string[]>()
  return errors.flatMap((error) => {
    if (error.keyword !== 'additionalProperties') return [error]
    const name = error.params.additionalProperty as string
    const before = extras.get(error.instancePath)
    if (before) {
      before.push(name)
      return []
    }
    const names = [name]
    extras.set(error.instancePath, names)
    return [{ ...error, params: { extras: names } }]
  })
}

function describeError(error: ErrorObject): string {
  // Unlike the path of the value, whose keys a client chose, it is the fragment of a URI.
  const schemaPath = steps(error.schemaPath.replace(/^[^/]*/, ''))
    .slice(0, -1)
    .map(decodeURIComponent)
  const instancePath = steps(error.instancePath).map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  return [
    messageOf(error),
    '',
    `Failed validating '${error.keyword}' in ${indexed('schema', schemaPath)}:`,
    `    ${pythonText(error.parentSchema)}`,
    '',
    `On ${indexed('instance', instancePath)}:`,
    `    ${pythonText(error.data)}`,
  ].join('\n')
}

function messageOf({ keyword, params, data, schema, parentSchema }: ErrorObject): string {
  const it = pythonText(data)
  switch (keyword) {
    case 'required':
      return `${pythonText(params.missingProperty)} is a required property`
    case 'additionalProperties':
      return extrasMessage((params.extras as string[]).toSorted(), parentSchema ?? {})
    case 'type':
      return `${it} is not of type ${[schema].flat().map(pythonText).join(', ')}`
    case 'minLength':
    case 'minItems':
      return `${it} is too short`
    case 'maxLength':
    case 'maxItems':
      return `${it} is too long`
    case 'pattern':
      return `${it} does not match ${pythonText(schema)}`
    case 'format':
      return `${it} is not a ${pythonText(schema)}`
    case 'enum':
      return `${it} is not one of ${pythonText(schema)}`
    case 'minimum':
      return `${it} is less than the minimum of ${pythonText(schema)}`
    case 'maximum':
      return `${it} is greater than the maximum of ${pythonText(schema)}`
    case 'uniqueItems':
      return `${it} has non-unique elements`
    case 'minProperties':
      return `${it} does not have enough properties`
    default:
      return `${it} is not valid under any of the given schemas`
  }
}

function extrasMessage(extras: readonly string[], parent: Readonly<Record<string, unknown>>): string {
  const names = extras.map(pythonText).join(', ')
  if ('patternProperties' in parent) {
    const patterns = Object.keys(parent.patternProperties as object)
      .sort()
      .map((each) => `'${each}'`)
    return `${names} ${extras.length === 1 ? 'does' : 'do'} not match any of the regexes: ${patterns.join(', ')}`
  }
  return `Additional properties are not allowed (${names} ${extras.length === 1 ? 'was' : 'were'} unexpected)`
}
