import { z } from 'zod'

// Plausible inputs for every query of the console, derived from its input schema, so that new procedures are covered
// too. Throws the name of a procedure whose input cannot be derived.

/** Ids for queries, by noun. */
export interface Subjects {
  readonly host: readonly string[]
  readonly instance: readonly string[]
  readonly migration: readonly string[]
  readonly finding: readonly string[]
  readonly heal: readonly string[]
  readonly run: readonly string[]
  readonly provider: readonly string[]
  /** ms since the epoch; a time for which history is kept. */
  readonly at: number
}

/** One input per subject. Queries without input run once. */
export function inputFor(path: string, inputs: readonly unknown[], subjects: Subjects): readonly unknown[] {
  const [schema] = inputs
  if (schema === undefined) return [undefined]
  const special = SPECIAL[path]
  if (special !== undefined) return special(subjects)
  const shape = shapeOf(schema)
  const required = Object.entries(shape).filter(([, part]) => !isOptional(part))
  const asked = required.reduce<readonly Record<string, unknown>[]>(
    (made, [key]) =>
      made.flatMap((input) => valuesOf(path, key, subjects).map((value) => ({ ...input, [key]: value }))),
    [{}],
  )
  return asked.flatMap((input) => [input, ...sorted(shape, input), ...filtered(shape, input)])
}

/** The list in each sort order, because some sort keys are computed from a row's values. */
function sorted({ sort }: Shape, input: object): readonly unknown[] {
  return optionsOf(sort).map((each) => ({ ...input, sort: each }))
}

/** Filters by all fields at once, so that each field is computed for each row. */
function filtered({ where }: Shape, input: object): readonly unknown[] {
  const list = innermost(where)
  const condition = list instanceof z.ZodArray ? innermost(list.element) : undefined
  const keys = condition instanceof z.ZodObject ? optionsOf(condition.shape.key) : []
  const not = { any: ['zz-nothing'], not: true }
  return keys.length === 0 ? [] : [{ ...input, where: keys.map((key) => ({ key, ...not })) }]
}

function optionsOf(part: z.core.$ZodType | undefined): readonly string[] {
  const inner = innermost(part)
  return inner instanceof z.ZodEnum ? inner.options.map(String) : []
}

export const nounOf = (path: string) => path.split('.')[0] ?? path

function valuesOf(path: string, key: string, subjects: Subjects): readonly unknown[] {
  const name = key === 'id' ? nounOf(path) : key
  const ids = subjects[name as Exclude<keyof Subjects, 'at'>]
  if (Array.isArray(ids)) return ids
  if (key === 'at') return [subjects.at]
  const value = VALUES[name]
  if (value === undefined) throw new Error(`No value is known for ${key} of ${path}; add one to corruption/inputs.ts.`)
  return value
}

/** The only cloud in the tables; it is not watched. */
export const CLOUD_ID = '00000000-0000-4000-8000-0000000c10d0'

/** Values by key where no id is required. */
export const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  q: ['01', 'dead'],
  cloud: [CLOUD_ID],
  user: ['00000000-0000-4000-8000-000000000000'],
  view: ['all', 'flight', 'waiting', 'overdue', 'history'],
  path: ['/hosts'],
  flavor: ['s1.small'],
  image: ['debian-12'],
  unit: ['cpu:2'],
  requestedAction: ['abort'],
  action: ['fence'],
}

/** Queries that require one of several members, or whose members depend on each other. */
const SPECIAL: Readonly<Record<string, (subjects: Subjects) => readonly unknown[]>> = {
  // Times cannot be matched by pattern, so do not filter by all fields at once.
  'auditLog.list': () => [{}, { where: [{ key: 'text', any: ['zz-nothing'], not: true }] }],
  'cloud.host': () => [{ id: CLOUD_ID, host: 'cmp1' }],
  'cloudAction.latest': () => [{ id: CLOUD_ID }],
  'cloudAction.offers': () => [{ id: CLOUD_ID, kind: 'host', subject: 'cmp1' }],
  'cloudAction.explain': () => [{ id: CLOUD_ID, verb: 'disable', subject: 'cmp1' }],
  'cloudDrain.ofHost': () => [{ id: CLOUD_ID, host: 'cmp1' }],
  'cloudDrain.plan': () => [{ id: CLOUD_ID, host: 'cmp1', cold: true, most: 1 }],
  'past.map': ({ host, at }) => host.map((id) => ({ id, at })),
  'migration.consequences': ({ migration }) => [{ ids: migration, requestedAction: 'abort' }],
  'advice.migration': ({ migration }) => migration.map((id) => ({ id })),
  'consumer.foreign': ({ instance }) => instance.map((id) => ({ id })),
  'advice.host': ({ host }) => host.map((id) => ({ id })),
  'bundle.create': ({ host, migration }) => [
    ...host.map((id) => ({ host: id })),
    ...migration.map((id) => ({ migration: id })),
  ],
  'finding.drift': eitherOf,
  'finding.deviceDrift': eitherOf,
  'migrate.explain': ({ instance }) => [
    ...instance.map((id) => ({ for: 'migrate', instance: id, operation: 'live-migrate' })),
    { for: 'build', ...BUILD },
  ],
  'migrate.plan': ({ instance, host: [host] }) => [
    ...instance.map((id) => ({ for: 'migrate', instance: id, operation: 'live-migrate', host })),
    { for: 'build', ...BUILD, host },
  ],
  'explain.get': whyInputsOf,
  'explain.nearest': whyInputsOf,
  'explain.trees': whyInputsOf,
  'explain.host': ({ host }) => host.map((id) => ({ host: id, flavor: BUILD.flavor })),
  'capacity.fitCount': () => [{ flavor: BUILD.flavor }],
}

const BUILD = { flavor: 's1.small', image: 'debian-12' }

function whyInputsOf({ instance }: Subjects) {
  return [{ flavor: BUILD.flavor }, ...instance.map((id) => ({ instance: id, operation: 'live-migrate' }))]
}

function eitherOf({ host, instance }: Subjects) {
  return [...host.map((id) => ({ host: id })), ...instance.map((id) => ({ instance: id }))]
}

type Shape = Readonly<Record<string, z.core.$ZodType>>

function shapeOf(schema: unknown): Shape {
  const inner = innermost(schema as z.core.$ZodType)
  return inner instanceof z.ZodObject ? inner.shape : {}
}

/** Unwraps optional, nullable and default schemas. */
function innermost(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  let inner = schema
  while (inner && 'innerType' in inner._zod.def) inner = inner._zod.def.innerType as z.core.$ZodType
  return inner
}

const isOptional = (part: z.core.$ZodType): boolean => z.safeParse(part, undefined).success
