import type { Json, Operation, Schema } from './operations'

// Converts a URL and a body to the input of a procedure. Text of the URL is converted to its schema's type; otherwise
// it stays text, so that the procedure's schema reports it.

export type ReadInput = { readonly ok: true; readonly input: unknown } | { readonly ok: false; readonly why: string }

export interface RequestParts {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Undefined without a body. */
  readonly body: unknown
}

export function inputOf(operation: Operation, { params, query, body }: RequestParts): ReadInput {
  const { fields, inPath, rest } = operation
  if (rest === 'body' && query.size > 0) return no('fields of this operation are sent as JSON in the body')
  if (rest === 'query' && body !== undefined) return no('this operation takes no body')
  if (body !== undefined && !isRecord(body)) return no('the body is a JSON object')
  const sent: Readonly<Record<string, unknown>> = rest === 'body' ? (body ?? {}) : readQuery(query, fields)
  const twice = inPath.find((name) => Object.hasOwn(sent, name))
  if (twice !== undefined) return no(`${twice} is in the path already`)
  const named = Object.entries(params).map(([name, text]) => [name, valueFrom([text], fields[name] ?? {})] as const)
  const input = { ...sent, ...Object.fromEntries(named) }
  if (operation.input !== null) return { ok: true, input }
  return Object.keys(input).length === 0 ? { ok: true, input: undefined } : no('this operation takes no fields')
}

const no = (why: string): ReadInput => ({ ok: false, why })

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readQuery(query: URLSearchParams, fields: Operation['fields']): Readonly<Record<string, unknown>> {
  const names = [...new Set(query.keys())]
  return Object.fromEntries(names.map((name) => [name, valueFrom(query.getAll(name), fields[name] ?? {})]))
}

/** A list of plain values is sent by repeating its name; a list or an object of others as JSON. */
export const isJson = (schema: Schema): boolean =>
  typesOf(schema).includes('object') ||
  (typesOf(schema).includes('array') && isJson(schema.items ?? { type: 'object' }))

function valueFrom(texts: readonly string[], schema: Schema): unknown {
  const [text = '', ...more] = texts
  const types = typesOf(schema)
  if (isJson(schema)) return more.length === 0 ? parsed(text) : texts
  if (types.includes('array')) return texts.map((each) => valueFrom([each], schema.items ?? {}))
  if (more.length > 0) return texts
  if (types.includes('null') && text === 'null') return null
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function typesOf({ type, anyOf, oneOf, allOf }: Schema): readonly string[] {
  const own = type === undefined ? [] : typeof type === 'string' ? [type] : type
  return [...own, ...[...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])].flatMap(typesOf)]
}
