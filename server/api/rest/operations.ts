import { z } from 'zod'
import { type Capability, leastRoleFor } from '../permit/roles'
import type { ProcedureMeta, ProcedureScope } from '../procedure/procedure'
import { appRouter, type ProcedurePath } from '../router'
import { ROUTES, type Route } from './routes'

// Each row of the table with the router's data on its procedure: its input as JSON Schema, and who may call it.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** The subset of JSON Schema 2020-12 that zod writes for inputs and the compiler for answers. */
export interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly Json[]
  readonly const?: Json
  readonly default?: Json
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly propertyNames?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly not?: Schema
}

export interface Operation extends Route {
  readonly procedure: ProcedurePath
  readonly capability: Capability
  readonly role: string
  /** Where it must be held. */
  readonly scope: ProcedureScope
  /** Null: no input. */
  readonly input: Schema | null
  /** All fields that the input may have, those in the path too. */
  readonly fields: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
  /** Names in braces of the path. */
  readonly inPath: readonly string[]
  /** Where fields that are not in the path are sent. */
  readonly rest: 'query' | 'body'
  /** Its answer is `{ rows, total, seq }`, and `offset` and `limit` say which rows. */
  readonly isPaged: boolean
}

interface Definition {
  readonly inputs: readonly z.ZodType[]
  readonly meta?: ProcedureMeta
}

const definitions = appRouter._def.procedures as unknown as Readonly<Record<string, { readonly _def: Definition }>>

function operationOf(procedure: ProcedurePath, route: Route): Operation {
  const definition = definitions[procedure]?._def
  if (!definition?.meta) throw new Error(`${procedure} has a route and no guarded procedure.`)
  const { capability, scope } = definition.meta
  const input = definition.inputs[0] ? schemaOf(definition.inputs[0]) : null
  const shapes = input === null ? [] : shapesOf(input)
  const fields: Readonly<Record<string, Schema>> = Object.assign(
    {},
    ...[...shapes].reverse().map((each) => each.properties),
  )
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])
  const stray = inPath.find((name) => !fields[name])
  if (stray) throw new Error(`${route.path} names ${stray}, which ${procedure} does not take.`)
  return {
    ...{ ...route, procedure, capability, scope, role: leastRoleFor(capability), input, fields, inPath },
    required: Object.keys(fields).filter((name) => shapes.every(({ required }) => required?.includes(name))),
    rest: route.method === 'GET' || route.method === 'DELETE' ? 'query' : 'body',
    isPaged: 'offset' in fields && 'limit' in fields,
  }
}

function schemaOf(input: z.ZodType): Schema {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return schema as Schema
}

/** An input is an object, or one of several. */
const shapesOf = (schema: Schema): readonly Schema[] => schema.oneOf ?? schema.anyOf ?? [schema]

export const OPERATIONS: readonly Operation[] = (Object.keys(ROUTES) as ProcedurePath[]).flatMap((procedure) => {
  const route: Route | { readonly reason: string } = ROUTES[procedure]
  return 'path' in route ? [operationOf(procedure, route)] : []
})

export interface Match {
  readonly operation: Operation
  /** Decoded segments of the URL. */
  readonly params: Readonly<Record<string, string>>
}

const allPaths = [...new Set(OPERATIONS.map(({ path }) => path))]

/** Literal paths come before those with names in braces. */
const PATHS = allPaths
  .map((path) => ({
    parts: path.split('/'),
    operations: OPERATIONS.filter((each) => each.path === path),
    names: path.split('{').length - 1,
  }))
  .sort((a, b) => a.names - b.names)

/** The operations at a path by method; empty: none. */
export function matchesAt(path: string): readonly Match[] {
  const asked = path.split('/').map(decodeURIComponent)
  const found = PATHS.find(
    ({ parts }) =>
      parts.length === asked.length && parts.every((part, n) => part === asked[n] || (isName(part) && asked[n])),
  )
  if (!found) return []
  const named = found.parts.flatMap((part, n) => (isName(part) ? [[part.slice(1, -1), asked[n] ?? ''] as const] : []))
  return found.operations.map((operation) => ({ operation, params: Object.fromEntries(named) }))
}

const isName = (part: string) => part.startsWith('{')
