import type { z } from 'zod'

// Schemas define what a column holds and explain what is wrong with it. Running one on every value of a fleet would
// cost more than reading it, so each is compiled once into code that returns yes or no; zod only runs after a no.

export type Fits = (value: unknown) => boolean

type Def = { readonly type: string } & Readonly<Record<string, unknown>>

/** Yes or no, exactly as the schema's `safeParse` would. Throws for kinds of schema that no column has. */
export function fitsOf(schema: z.core.$ZodType): Fits {
  const def = schema._zod.def as unknown as Def
  const make = MAKERS[def.type]
  if (make === undefined) throw new Error(`A column's schema cannot be ${def.type}.`)
  return make(def)
}

interface Check {
  readonly _zod: { readonly def: { readonly pattern?: RegExp } }
}

const of = (part: unknown): Fits => fitsOf(part as z.core.$ZodType)
const parts = (list: unknown): readonly Fits[] => (list as readonly z.core.$ZodType[]).map(fitsOf)
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MAKERS: Readonly<Record<string, (def: Def) => Fits>> = {
  unknown: () => () => true,
  string: ({ checks }) => {
    const patterns = ((checks ?? []) as readonly Check[]).map(({ _zod }) => {
      if (!_zod.def.pattern) throw new Error("A column's text is checked by patterns only.")
      return _zod.def.pattern
    })
    return (value) => typeof value === 'string' && patterns.every((pattern) => pattern.test(value))
  },
  boolean: () => (value) => typeof value === 'boolean',
  // The only numbers of a column are whole; `integer` in columns.ts makes them.
  number: () => (value) => Number.isSafeInteger(value),
  literal:
    ({ values }) =>
    (value) =>
      (values as readonly unknown[]).includes(value),
  enum: ({ entries }) => {
    const words = new Set(Object.values(entries as Record<string, unknown>))
    return (value) => words.has(value)
  },
  nullable: ({ innerType }) => {
    const inner = of(innerType)
    return (value) => value === null || inner(value)
  },
  optional: ({ innerType }) => {
    const inner = of(innerType)
    return (value) => value === undefined || inner(value)
  },
  array: ({ element }) => {
    const inner = of(element)
    return (value) => Array.isArray(value) && value.every(inner)
  },
  tuple: ({ items }) => {
    const inner = parts(items)
    return (value) =>
      Array.isArray(value) && value.length === inner.length && inner.every((fits, nth) => fits(value[nth]))
  },
  union: ({ options }) => {
    const inner = parts(options)
    return (value) => inner.some((fits) => fits(value))
  },
  record: ({ valueType }) => {
    const inner = of(valueType)
    return (value) => isObject(value) && Object.values(value).every(inner)
  },
  object: ({ shape }) => {
    const members = Object.entries(shape as Record<string, unknown>).map(([key, part]) => [key, of(part)] as const)
    return (value) => isObject(value) && members.every(([key, fits]) => fits(value[key]))
  },
}
