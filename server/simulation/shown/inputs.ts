import { z } from 'zod'
import { nounOf, type Subjects, VALUES } from '../corruption/inputs'

// Every input that a mutation offers, for objects that exist. Most are refused, and the refusals are what is checked.

type Schema = z.core.$ZodType
type Value = unknown

const MAX_INPUTS = 24 // spread over all valid inputs

/** Inputs of a mutation that its schema accepts; empty if none can be derived. */
export function choicesOf(path: string, inputs: readonly unknown[], subjects: Subjects): readonly Value[] {
  const [schema] = inputs
  if (schema === undefined) return [undefined]
  const noun = nounOf(path)
  const valid = choices(schema as Schema, noun, { noun, subjects }).filter(
    (input) => z.safeParse(schema as Schema, input).success,
  )
  const every = Math.max(1, Math.ceil(valid.length / MAX_INPUTS))
  return valid.filter((_, nth) => nth % every === 0)
}

interface ChoiceContext {
  readonly noun: string
  readonly subjects: Subjects
}

/** Possible values for that key. */
function choices(schema: Schema, key: string, asked: ChoiceContext): readonly Value[] {
  const { def } = schema._zod
  if ('innerType' in def) return choices(def.innerType as Schema, key, asked)
  if (schema instanceof z.ZodPipe) return choices(schema._zod.def.in, key, asked)
  if (schema instanceof z.ZodEnum) return schema.options
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((each) => choices(each as Schema, key, asked))
  if (schema instanceof z.ZodArray) return choices(schema.element as Schema, key, asked).map((each) => [each])
  if (schema instanceof z.ZodBoolean) return [true, false]
  if (schema instanceof z.ZodNumber) return [1]
  if (schema instanceof z.ZodLiteral) return [...schema.values]
  if (schema instanceof z.ZodRecord) return [{}]
  if (!(schema instanceof z.ZodObject)) return texts(key, asked)
  return Object.entries(schema.shape as Record<string, Schema>).reduce<readonly Record<string, Value>[]>(
    (made, [name, part]) =>
      made.flatMap((input) => choices(part, name, asked).map((value) => ({ ...input, [name]: value }))).slice(0, 400),
    [{}],
  )
}

const ALIASES: Readonly<Record<string, keyof Subjects>> = {
  ...{ hosts: 'host', target: 'host', ids: 'migration', findings: 'finding', consumer: 'instance' },
}

function texts(key: string, { noun, subjects }: ChoiceContext): readonly Value[] {
  const of = key === 'id' || key === 'ids' ? noun : key
  const ids = subjects[(of in subjects ? of : ALIASES[of]) as Exclude<keyof Subjects, 'at'>]
  if (Array.isArray(ids)) return ids
  return VALUES[key] ?? ['any']
}
