import { CAPABILITIES } from '../permit/roles'
import { type AnswerSchemas, readAnswerSchemas } from './answers'
import { isJson } from './input'
import { OPERATIONS, type Operation, type Schema } from './operations'
import { REST_PATH } from './routes'

// OpenAPI 3.1 from the table of operations. zod, the schemas of answers and OpenAPI 3.1 all use JSON Schema 2020-12, so
// they are included unchanged.

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly schema?: Schema
  readonly content?: Readonly<Record<'application/json', { readonly schema: Schema }>>
}

export interface OperationObject {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<'application/json', { readonly schema: Schema }>>
  }
  readonly responses: Readonly<Record<string, ResponseObject | { readonly $ref: string }>> & {
    readonly 200: ResponseObject
  }
}

export interface ResponseObject {
  readonly description: string
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>
}

export interface OpenApiDocument {
  readonly openapi: string
  readonly info: { readonly version: string; readonly [key: string]: unknown }
  readonly servers: readonly object[]
  readonly security: readonly object[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly components: {
    readonly securitySchemes: object
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses: Readonly<Record<'Problem', ResponseObject>>
  }
}

export function openApiDocument(version: string): OpenApiDocument {
  const answers = readAnswerSchemas()
  const paths: Record<string, Record<string, OperationObject>> = {}
  for (const each of OPERATIONS) {
    const { path, method } = each
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(each, answers) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Berth',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'The operations of the console, for programs. Times are milliseconds since 1970 (UTC); `null` means unknown or not applicable. A list returns `rows` and `total`, and a `Link` header with `rel="next"` while there are more rows.',
    },
    servers: [{ url: REST_PATH }],
    security: [{ token: [] }, { bearer: [] }],
    tags: [...new Set(OPERATIONS.map(tagOf))].sort().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token' },
        bearer: { type: 'http', scheme: 'bearer' },
      },
      schemas: answers.components,
      responses: {
        Problem: {
          description: 'Why it failed, and what to do.',
          content: { 'application/problem+json': { schema: answers.properties.problem ?? {} } },
        },
      },
    },
  }
}

/** The first segment of the path: `hosts`. */
const tagOf = ({ path }: Pick<Operation, 'path'>): string => path.split('/')[1] ?? ''

const WHERE: { readonly [S in Operation['scope']]: string } = {
  touched: 'where the thing is: in its zone, on its host or in its cloud',
  everywhere: 'everywhere',
  anywhere: 'in any part of the fleet',
  own: 'in any part of the fleet',
}

function operationObject(operation: Operation, { properties }: AnswerSchemas): OperationObject {
  const { procedure, does, role, scope, capability, rest } = operation
  const parameters = parametersOf(operation)
  return {
    operationId: procedure,
    tags: [tagOf(operation)],
    summary: does,
    description: `Needs the role ${role} ${WHERE[scope]} (${capability}: ${CAPABILITIES[capability].join(', ')}).`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(rest === 'body' ? requestBody(operation) : {}),
    responses: {
      200: {
        description: 'The answer.',
        content: { 'application/json': { schema: properties[procedure] ?? {} } },
      },
      ...Object.fromEntries(FAILURES.map((status) => [status, { $ref: '#/components/responses/Problem' }])),
    },
  }
}

/** `4XX` would cover all, but is useless to a generated client. */
const FAILURES = [400, 401, 403, 404, 409, 412, 413, 415, 422, 429, 503]

function parametersOf({ fields, required, inPath, rest }: Operation): readonly Parameter[] {
  const names = rest === 'query' ? Object.keys(fields) : inPath
  return names.map((name) => {
    const schema = fields[name] ?? {}
    const isPath = inPath.includes(name)
    return {
      name,
      in: isPath ? 'path' : 'query',
      required: isPath || required.includes(name),
      ...(isJson(schema) ? { content: { 'application/json': { schema } } } : { schema }),
    }
  })
}

function requestBody({ input, fields, required, inPath }: Operation): Pick<OperationObject, 'requestBody'> | object {
  if (input === null || Object.keys(fields).length === inPath.length) return {}
  const schema = inPath.length === 0 ? input : withoutFields(input, inPath)
  return {
    requestBody: {
      required: required.some((name) => !inPath.includes(name)),
      content: { 'application/json': { schema } },
    },
  }
}

function withoutFields(schema: Schema, names: readonly string[]): Schema {
  const { properties = {}, required = [] } = schema
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    required: required.filter((name) => !names.includes(name)),
  }
}
