import fc from 'fast-check'
import type { OpenApiDocument, OperationObject, Parameter } from '../../rest/openapi'
import type { Schema } from '../../rest/operations'
import { REST_PATH } from '../../rest/routes'

// A client made from the OpenAPI document alone: requests that its schemas allow, with ids of existing objects among
// them, and now and then one field that they do not allow.

export interface RestRequest {
  readonly operation: string
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly body: string | null
}

export interface KnownIds {
  /** Of hosts, instances, migrations and other objects. */
  readonly all: readonly string[]
  /** By the path that lists them: `/hosts`. */
  readonly of?: Readonly<Record<string, readonly string[]>>
}

export function anyRequest(document: OpenApiDocument, ids: KnownIds): fc.Arbitrary<RestRequest> {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => requestOf({ method, path, operation }, ids)),
  )
  return fc.oneof(...all)
}

interface LocatedOperation {
  readonly method: string
  readonly path: string
  readonly operation: OperationObject
}

function requestOf({ method, path, operation }: LocatedOperation, ids: KnownIds): fc.Arbitrary<RestRequest> {
  const { parameters = [], requestBody, operationId } = operation
  const named = parameters.map((parameter) => sentOf(parameter, idsFor(ids, parameter.name, path)))
  const schema = requestBody?.content['application/json'].schema
  const body = schema ? fc.option(withMistakes(valueFrom(schema, ids)), { freq: 12 }) : fc.constant(null)
  return fc.tuple(fc.tuple(...named), body).map(([sent, sentBody]) => {
    const inPath = parameters.reduce(
      (at, { name, in: place }, n) =>
        place === 'path' ? at.replace(`{${name}}`, encodeURIComponent(String(sent[n]?.[0] ?? ''))) : at,
      path,
    )
    const query = new URLSearchParams()
    parameters.forEach(({ name, in: place }, n) => {
      if (place === 'query') for (const text of sent[n] ?? []) query.append(name, text)
    })
    return {
      operation: operationId,
      method: method.toUpperCase(),
      path: `${REST_PATH}${inPath}${query.size > 0 ? `?${query}` : ''}`,
      body: sentBody === null ? null : JSON.stringify(sentBody),
    }
  })
}

/** Those of the list that a path is below, such as `/hosts` of `/hosts/{id}/map`, or that a field is named for. */
function idsFor(ids: KnownIds, name: string, path = ''): KnownIds {
  const list = path.includes(`/{${name}}`) ? path.slice(0, path.indexOf(`/{${name}}`)) : ''
  const all = [list, `/${name}`, `/${name}s`].map((each) => ids.of?.[each] ?? []).find(({ length }) => length > 0)
  return all ? { ...ids, all } : ids
}

/** The texts of a parameter; none: it is omitted. */
function sentOf(parameter: Parameter, ids: KnownIds): fc.Arbitrary<readonly string[]> {
  const schema = parameter.schema ?? parameter.content?.['application/json'].schema ?? {}
  const text = valueFrom(schema, ids).map((value) => {
    if (parameter.content) return [JSON.stringify(value)]
    return Array.isArray(value) ? value.map(String) : [String(value)]
  })
  const wrong = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((each) => [each])
  const some = fc.oneof({ arbitrary: text, weight: 20 }, { arbitrary: wrong, weight: 1 })
  if (parameter.in === 'path') return some.filter(([each]) => !UNSENDABLE.has(each ?? ''))
  return parameter.required ? some : fc.oneof(fc.constant([]), some)
}

/** A path that ends in these is another path. */
const UNSENDABLE = new Set(['', '.', '..'])

const DEPTH = 4

function valueFrom(schema: Schema, ids: KnownIds, depth = 0): fc.Arbitrary<unknown> {
  const several = schema.oneOf ?? schema.anyOf
  if (several) return fc.oneof(...several.map((each) => valueFrom(each, ids, depth)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.[0]) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
    case 'number':
      return numberOf(schema)
    case 'string':
      return textOf(schema, ids)
    case 'array':
      return fc.array(valueFrom(schema.items ?? {}, ids, depth + 1), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? 3, 3)),
      })
    case 'object':
      return objectOf(schema, ids, depth)
    default:
      return depth > DEPTH ? fc.constant(null) : fc.jsonValue({ maxDepth: 2 })
  }
}

function numberOf({ minimum = -1e6, maximum = 1e6 }: Schema): fc.Arbitrary<number> {
  const small = fc.integer({ min: Math.max(minimum, 0), max: Math.max(Math.min(maximum, 50), minimum, 0) })
  return fc.oneof(
    small,
    fc.constantFrom(minimum, maximum),
    fc.integer({ min: minimum, max: Math.min(maximum, 2 ** 31) }),
  )
}

function textOf({ format, pattern, minLength = 0, maxLength = 30 }: Schema, { all }: KnownIds): fc.Arbitrary<string> {
  if (format === 'uuid')
    return fc.oneof({ arbitrary: fc.constantFrom(...all), weight: 4 }, { arbitrary: fc.uuid(), weight: 1 })
  if (format === 'email') return fc.emailAddress()
  if (pattern) return fc.oneof(fc.constantFrom('web-1', 'host-1', 'cpu:1', '/hosts', '1'), fc.string({ maxLength: 20 }))
  const size = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 30)) }
  return fc.oneof(fc.constantFrom('m1', 'h-01', 'demo'), fc.string({ ...size, unit: 'grapheme' }))
}

function objectOf(schema: Schema, ids: KnownIds, depth: number): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, valueFrom(each, idsFor(ids, name), depth + 1)]),
  )
  const own = fc.record(fields, { requiredKeys: required.filter((name) => fields[name]) })
  if (typeof additionalProperties !== 'object') return own
  const more = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 10 }),
    valueFrom(additionalProperties, ids, depth + 1),
    {
      maxKeys: 3,
    },
  )
  return fc.tuple(own, more).map(([some, others]) => ({ ...others, ...some }))
}

/** One in ten has an unknown field, or one of the wrong type. */
function withMistakes(value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const wrong = fc
    .tuple(value, fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 1 }))
    .map(([right, key, other]) =>
      typeof right === 'object' && right !== null && !Array.isArray(right) ? { ...right, [key]: other } : other,
    )
  return fc.oneof({ arbitrary: value, weight: 9 }, { arbitrary: wrong, weight: 1 })
}
