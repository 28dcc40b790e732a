import { randomUUID } from 'node:crypto'
import { appRouter } from '../../router'
import { hostileValue, NUMBERS, pick, type Rng, TEXTS } from './values'

// Inputs of procedures, generated from their schemas and then corrupted in part, so that they pass the first checks.

/** zod's public types do not expose a schema's type. */
interface Def {
  readonly type: string
  readonly shape?: Readonly<Record<string, Schema>>
  readonly element?: Schema
  readonly innerType?: Schema
  readonly in?: Schema
  readonly options?: readonly Schema[]
  readonly entries?: Readonly<Record<string, string>>
  readonly values?: readonly unknown[]
  readonly valueType?: Schema
}
interface Schema {
  readonly _zod: { readonly def: Def }
}

interface Procedure {
  readonly path: string
  readonly isMutation: boolean
  readonly schema: Schema | null
}

export const PROCEDURES: readonly Procedure[] = Object.entries(appRouter._def.procedures).flatMap(([path, each]) => {
  const { type, inputs } = (each as unknown as { _def: { type: string; inputs: readonly Schema[] } })._def
  return type === 'subscription' ? [] : [{ path, isMutation: type === 'mutation', schema: inputs[0] ?? null }]
})

/** Probability that a valid part is corrupted. */
const SPOILED = 0.08

export interface Drawing {
  readonly rng: Rng
  /** Ids that exist, so that some calls reach their object. */
  readonly ids: readonly string[]
}

/** An input that satisfies the schema, except for parts of it. */
export function drawn(schema: Schema, { rng, ids }: Drawing): unknown {
  const again = (inner: Schema | undefined) => (inner ? drawn(inner, { rng, ids }) : null)
  if (rng() < SPOILED) return hostileValue(rng)
  const { def } = schema._zod
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries(def.shape ?? {}).map(([key, inner]) => [key, again(inner)]))
    case 'array':
      return Array.from({ length: Math.floor(rng() * 3) }, () => again(def.element))
    case 'string':
      return rng() < 0.5 ? pick(rng, ids) : pick(rng, [...TEXTS, randomUUID(), '12', 'cpu:1', 'pci:0000:3b:02.1'])
    case 'number':
      return rng() < 0.7 ? Math.floor(rng() * 50) : pick(rng, NUMBERS)
    case 'boolean':
      return rng() < 0.5
    case 'enum':
      return pick(rng, Object.values(def.entries ?? {}))
    case 'literal':
      return pick(rng, def.values ?? [])
    case 'union':
      return again(pick(rng, def.options ?? []))
    case 'record':
      return { [pick(rng, TEXTS)]: again(def.valueType), 'hw:numa_nodes': '1' }
    case 'pipe':
      return again(def.in)
    case 'optional':
    case 'default':
    case 'prefault':
      return rng() < 0.5 ? undefined : again(def.innerType)
    case 'nullable':
      return rng() < 0.3 ? null : again(def.innerType)
    default:
      return again(def.innerType)
  }
}
