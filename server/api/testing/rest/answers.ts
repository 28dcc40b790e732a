import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020'
import type { Endpoints } from '../../http/endpoints'
import { type OpenApiDocument, type OperationObject, openApiDocument, type ResponseObject } from '../../rest/openapi'
import { matchesAt, type Schema } from '../../rest/operations'
import { REST_PATH } from '../../rest/routes'

// Validates answers against the server's OpenAPI document. Clients must tolerate unknown fields, so that a later Berth
// may add some; Berth itself returns none of them, so here they are faults.

export interface AnswerCheck {
  /** The violation of the document in a received body. Null: valid. */
  faultOf(answer: RestAnswer): string | null
}

export interface RestAnswer {
  /** Null: for a request that reached none. */
  readonly operation: string | null
  readonly status: number
  readonly body: unknown
}

export function answerCheck(document: OpenApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, verbose: true })
  const known = operationsOf(document)
  const answers = [...known].map(([id, { responses }]) => [id, closed(schemaOf(responses[200]))] as const)
  const schemas = Object.entries(document.components.schemas).map(([name, each]) => [name, closed(each)] as const)
  ajv.addSchema({
    $id: 'berth',
    answers: { ...Object.fromEntries(answers), problem: schemaOf(document.components.responses.Problem) },
    components: { schemas: Object.fromEntries(schemas) },
  })
  const validators = new Map<string, ValidateFunction>()
  const validatorOf = (name: string) => {
    const validate = validators.get(name) ?? ajv.compile({ $ref: `berth#/answers/${name}` })
    validators.set(name, validate)
    return validate
  }
  return {
    faultOf: ({ operation, status, body }) => {
      const responses = operation === null ? null : known.get(operation)?.responses
      if (responses === undefined) return `The document has no operation ${operation}.`
      if (responses && !Object.hasOwn(responses, status)) return `${operation} does not say that it answers ${status}.`
      const validate = validatorOf(operation !== null && status === 200 ? operation : 'problem')
      return validate(body) ? null : `${operation ?? 'no operation'} ${status}: ${describeErrors(validate)}`
    },
  }
}

const operationsOf = ({ paths }: OpenApiDocument): ReadonlyMap<string, OperationObject> =>
  new Map(Object.values(paths).flatMap((methods) => Object.values(methods).map((each) => [each.operationId, each])))

const schemaOf = ({ content }: ResponseObject): Schema => Object.values(content)[0]?.schema ?? { not: {} }

/** An object has the properties that it names and no other. */
function closed(schema: Schema): Schema {
  const { properties, items, prefixItems, anyOf, additionalProperties } = schema
  return {
    ...schema,
    ...(properties ? { properties: closedEach(properties), additionalProperties: false } : {}),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: closed(additionalProperties) } : {}),
    ...(items ? { items: closed(items) } : {}),
    ...(prefixItems ? { prefixItems: prefixItems.map(closed) } : {}),
    ...(anyOf ? { anyOf: anyOf.map(closed) } : {}),
  }
}

const closedEach = (schemas: Readonly<Record<string, Schema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, closed(each)]))

const describeErrors = ({ errors }: ValidateFunction): string =>
  (errors ?? [])
    .map(
      ({ instancePath, message, params, data }) =>
        `${instancePath || '/'} ${message} ${JSON.stringify(params)} and is ${JSON.stringify(data)?.slice(0, 120)}`,
    )
    .join('; ')

/** By the document of this checkout. */
export const OWN_CHECK = answerCheck(openApiDocument('test'))

/** Endpoints whose REST throws when an answer violates the document. */
export function checkedByDocument<D extends Pick<Endpoints, 'rest'>>(endpoints: D): D {
  const rest = async (request: Request) => {
    const response = await endpoints.rest(request)
    const text = await response.clone().text()
    const operation = operationAt(request.method, new URL(request.url).pathname)
    if (text === '' || !response.headers.get('content-type')?.includes('json') || operation === undefined)
      return response
    const fault = OWN_CHECK.faultOf({ operation, status: response.status, body: JSON.parse(text) })
    if (fault !== null) throw new Error(fault)
    return response
  }
  return { ...endpoints, rest }
}

/** Null: there is none. Undefined: it is the document itself. */
export function operationAt(method: string, pathname: string): string | null | undefined {
  if (pathname === `${REST_PATH}/openapi.json`) return undefined
  const asked = method === 'HEAD' ? 'GET' : method
  const match = matchesAt(pathname.slice(REST_PATH.length)).find(({ operation }) => operation.method === asked)
  return match?.operation.procedure ?? null
}
