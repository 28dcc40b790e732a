import { badRequest } from './problem'
import { isUuidLike } from './schema/ids'

// Parses the query string and the syntax of its values.

export class Query {
  readonly #pairs: readonly (readonly [string, string])[]

  constructor(text: string) {
    this.#pairs = text === '' ? [] : [...new URLSearchParams(text)]
  }

  get pairs(): readonly (readonly [string, string])[] {
    return this.#pairs
  }

  all(name: string): string[] {
    return this.#pairs.flatMap(([key, value]) => (key === name ? [value] : []))
  }

  /** The last value of a repeated key counts. */
  one(name: string): string | null {
    return this.all(name).at(-1) ?? null
  }

  /** For the schema. */
  values(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#pairs)
  }
}

const RESOURCES_FORM =
  'Badly formed resources parameter. Expected resources query string parameter in form: ?resources=VCPU:2,MEMORY_MB:1024.'
const INTEGER = /^\s*[+-]?\d+\s*$/

/** `VCPU:2,MEMORY_MB:1024` */
export function resourcesOf(text: string): ReadonlyMap<string, number> {
  if (text.trim() === '') throw badRequest(`${RESOURCES_FORM} Got: empty string.`)
  const resources = new Map<string, number>()
  for (const part of text.split(',')) {
    const [name, amount, more] = part.split(':')
    if (name === undefined || amount === undefined || more !== undefined) {
      throw badRequest(`${RESOURCES_FORM} Got: ${part}.`)
    }
    if (!INTEGER.test(amount)) {
      throw badRequest(`Requested resource ${name} expected positive integer amount. Got: ${amount}.`)
    }
    const number = Number(amount)
    if (number < 1) throw badRequest(`Requested resource ${name} requires amount >= 1. Got: ${number}.`)
    resources.set(name, number)
  }
  return resources
}

export interface TraitConstraints {
  readonly required: readonly ReadonlySet<string>[]
  readonly forbidden: ReadonlySet<string>
}

const BAD = 'Invalid query string parameters:'

/** `A,B`; from 1.22 also `!C`; from 1.39 also `in:A,B`, and repeated. */
export function traitsOf(query: Query, key: string, minor: number): TraitConstraints {
  const values = query.all(key)
  const required: ReadonlySet<string>[] = []
  const forbidden = new Set<string>()
  for (const value of minor >= 39 ? values : values.slice(-1)) {
    if (value.startsWith('in:')) required.push(anyTraits(value, minor))
    else {
      const plain = plainTraits(value, minor >= 22)
      required.push(...plain.required)
      for (const trait of plain.forbidden) forbidden.add(trait)
    }
  }
  return { required, forbidden }
}

/** For a list that may not contain `in:`. */
export const noAnyTraits = (value: string) =>
  badRequest(`${BAD} The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' only supported since microversion 1.39. Got: ${value}`)

function anyTraits(value: string, minor: number): ReadonlySet<string> {
  if (minor < 39) {
    throw noAnyTraits(value)
  }
  const traits = value
    .slice(3)
    .split(',')
    .map((each) => each.trim())
  if (traits.includes('')) {
    throw badRequest(
      `${BAD} Expected 'required' parameter value of the form: in:HW_CPU_X86_VMX,CUSTOM_MAGIC. Got an empty trait in: ${value}`,
    )
  }
  if (traits.some((trait) => trait.startsWith('!'))) {
    throw badRequest(
      `${BAD} The format 'in:HW_CPU_X86_VMX,CUSTOM_MAGIC' does not support forbidden traits. Got: ${value}`,
    )
  }
  return new Set(traits)
}

/** Removes every leading `!`. */
export function plainTraits(value: string, allowForbidden: boolean): TraitConstraints {
  const all = value.split(',').map((each) => each.trim())
  const forbidden = all.filter((each) => each.startsWith('!')).map((each) => each.replace(/^!+/, ''))
  if (all.includes('') || forbidden.includes('')) {
    const form = allowForbidden ? 'HW_CPU_X86_VMX,!CUSTOM_MAGIC' : 'HW_CPU_X86_VMX,CUSTOM_MAGIC'
    throw badRequest(`${BAD} Expected 'required' parameter value of the form: ${form}. Got an empty trait in: ${value}`)
  }
  if (forbidden.length > 0 && !allowForbidden) {
    throw badRequest(
      `${BAD} Expected 'required' parameter value of the form: HW_CPU_X86_VMX,CUSTOM_MAGIC. Got: ${value}`,
    )
  }
  const required = all.filter((each) => !each.startsWith('!')).map((each) => new Set([each]))
  return { required, forbidden: new Set(forbidden) }
}

export interface AggregateConstraints {
  readonly memberOf: readonly ReadonlySet<string>[]
  readonly notMemberOf: ReadonlySet<string>
}

/** `uuid`, `in:uuid,uuid`; from 1.24 repeated; from 1.32 with a leading `!`. */
export function aggregatesOf(query: Query, suffix: string, minor: number): AggregateConstraints {
  const values = query.all(`member_of${suffix}`)
  if (minor < 24 && values.length > 1) {
    throw badRequest(`Multiple member_of${suffix} parameters are not supported`)
  }
  const memberOf: ReadonlySet<string>[] = []
  const notMemberOf = new Set<string>()
  for (const value of values) {
    const { isForbidden, ids } = aggregatesIn(value)
    if (isForbidden && minor < 32) {
      throw badRequest(`Forbidden member_of${suffix} parameters are not supported in the specified microversion`)
    }
    if (isForbidden) for (const id of ids) notMemberOf.add(id)
    else memberOf.push(new Set(ids))
  }
  return { memberOf, notMemberOf }
}

function aggregatesIn(value: string): { readonly isForbidden: boolean; readonly ids: readonly string[] } {
  const isForbidden = value.startsWith('!')
  const rest = isForbidden ? value.slice(1) : value
  const isList = rest.startsWith('in:')
  if (value.includes(',') && !isList) {
    throw badRequest(
      `Multiple values for 'member_of' must be prefixed with the 'in:' or '!in:' keyword using the valid microversion. Got: ${value}`,
    )
  }
  const ids = isList ? rest.slice(3).split(',') : [rest]
  for (const id of ids) {
    if (isUuidLike(id)) continue
    throw badRequest(`${BAD} Expected 'member_of' parameter to contain valid UUID(s). Got: ${id}`)
  }
  return { isForbidden, ids: ids.map((id) => id.toLowerCase()) }
}

export function treeOf(value: string): string {
  const id = value.trim()
  if (isUuidLike(id)) return id
  throw badRequest(`${BAD} Expected 'in_tree' parameter to be a format of uuid. Got: ${value}`)
}
