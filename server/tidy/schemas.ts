import path from 'node:path'
import {
  API,
  type Checker,
  ElementFlags,
  type Project,
  SignatureKind,
  SymbolFlags,
  type TupleType,
  type Type,
  TypeFlags,
  type Symbol as TypeSymbol,
} from 'typescript/unstable/sync'

// Types as JSON Schema 2020-12, read with the compiler that checks them. A schema describes the output of
// JSON.stringify: a value that may be undefined is omitted from objects and null in lists, a brand is its base type.
// Types that JSON cannot represent (Date, Map, bigint, functions) are refused with their location, as is `any`.

export interface JsonSchema {
  readonly [keyword: string]: unknown
}

export interface TypeSchemas {
  /** Schemas by property of the type. */
  readonly properties: Readonly<Record<string, JsonSchema>>
  /** The project's interfaces and aliases that these use, by name; referenced as `#/components/schemas/NAME`. */
  readonly components: Readonly<Record<string, JsonSchema>>
}

export interface TypeAddress {
  /** Path from the root of the checkout. */
  readonly file: string
  readonly type: string
  /** Text to read instead of the file, which need not exist. */
  readonly text?: string
}

const ROOT = path.join(import.meta.dirname, '../..')
const CONFIG = path.join(ROOT, 'tsconfig.schemas.json')

/** Throws one error with every type that JSON cannot represent, and every name that two types share. */
export function schemasOf({ file, type, text }: TypeAddress): TypeSchemas {
  // Reads only the file and its imports: the whole checkout would take three times as long.
  const config = JSON.stringify({ extends: './tsconfig.json', include: [], files: [file] })
  const virtual = new Map([[CONFIG, config], ...(text === undefined ? [] : [[path.join(ROOT, file), text] as const])])
  const readFile = (name: string) => virtual.get(name)
  const fileExists = (name: string) => (virtual.has(name) ? true : undefined)
  const api = new API({ cwd: ROOT, fs: { readFile, fileExists } })
  try {
    const project = api.updateSnapshot({ openProjects: [CONFIG] }).getProject(CONFIG)
    if (!project) throw new Error(`The compiler did not open ${file}.`)
    const root = typeNamed(project, path.join(ROOT, file), type)
    const reader = new TypeReader(project.checker)
    for (const each of exportedUnions(project)) reader.rememberUnion(each)
    reader.propertiesOf(root) // a first pass, so that a union is known by name wherever null is added to it
    return reader.readAgain(root)
  } finally {
    api.close()
  }
}

function typeNamed({ program, checker }: Project, file: string, name: string): Type {
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  const symbol = module && checker.getExportsOfModule(module).find((each) => each.name === name)
  if (!symbol) throw new Error(`${file} exports no type ${name}.`)
  return checker.getDeclaredTypeOfSymbol(symbol)
}

interface NamedType {
  readonly name: string
  readonly symbol: TypeSymbol
}

interface NamedUnion extends NamedType {
  readonly type: Type
}

/** A union with fewer members may have the same ones as another by chance. */
const MEMBERS_OF_ONE_MEANING = 3

/** The compiler keeps no alias for `type Step = (typeof STEPS)[number]`: it knows such a union only by its members. */
function exportedUnions({ program, checker }: Project): readonly NamedUnion[] {
  const files = program.getSourceFileNames().filter((name) => !isForeignPath(name))
  return files.flatMap((file) => {
    const source = program.getSourceFile(file)
    const module = source && checker.getSymbolAtLocation(source)
    const aliases = module
      ? checker.getExportsOfModule(module).filter(({ flags }) => flags & SymbolFlags.TypeAlias)
      : []
    return aliases.flatMap((symbol) => {
      const type = checker.getDeclaredTypeOfSymbol(symbol)
      const isOne = type.isUnionType() && !type.getAliasSymbol() && type.getTypes().length >= MEMBERS_OF_ONE_MEANING
      return isOne ? [{ name: symbol.name, symbol, type }] : []
    })
  })
}

interface Component {
  readonly declaredIn: string
  schema: JsonSchema
}

const REFUSED = TypeFlags.Any | TypeFlags.BigIntLike | TypeFlags.ESSymbolLike | TypeFlags.Instantiable
const NOTHING = TypeFlags.Undefined | TypeFlags.Void
const BASIC: readonly (readonly [TypeFlags, JsonSchema])[] = [
  [TypeFlags.Unknown, {}],
  [TypeFlags.String, { type: 'string' }],
  [TypeFlags.Number, { type: 'number' }],
  [TypeFlags.Boolean, { type: 'boolean' }],
  [TypeFlags.Null | NOTHING, { type: 'null' }],
  [TypeFlags.Never, { not: {} }],
  [TypeFlags.NonPrimitive, { type: 'object' }],
]

class TypeReader {
  private readonly components = new Map<string, Component>()
  /** By their members; null: two names share the same members. */
  private readonly unions = new Map<string, NamedUnion | null>()
  private readonly problems = new Set<string>()
  private at: readonly string[] = []

  constructor(private readonly checker: Checker) {}

  readAgain(root: Type): TypeSchemas {
    this.components.clear()
    const properties = this.propertiesOf(root)
    if (this.problems.size > 0) throw new Error([...this.problems].join('\n'))
    const components = [...this.components].sort(([a], [b]) => (a < b ? -1 : 1))
    return { properties, components: Object.fromEntries(components.map(([name, { schema }]) => [name, schema])) }
  }

  propertiesOf(root: Type): Readonly<Record<string, JsonSchema>> {
    const properties = this.checker.getPropertiesOfType(root)
    return Object.fromEntries(
      properties.map((each) => [each.name, this.within(each.name, () => this.schemaOf(this.typeOf(each)))]),
    )
  }

  private schemaOf(type: Type): JsonSchema {
    const named = this.namedAs(type)
    if (!named) return this.shapeOf(type)
    const { name, symbol } = named
    const declaredIn = symbol.declarations.map((each) => each.path).join()
    const known = this.components.get(name)
    if (known && known.declaredIn !== declaredIn)
      this.problems.add(`${name} is in ${known.declaredIn} and in ${declaredIn}: give them two names.`)
    if (!known) {
      const component: Component = { declaredIn, schema: {} }
      this.components.set(name, component) // before its shape is read: the type may be recursive
      if (type.isUnionType()) this.rememberUnion({ name, symbol, type })
      component.schema = { ...this.described(symbol), ...this.shapeOf(type) }
    }
    return reference(name)
  }

  /** The name of an alias or interface of the project, with its type arguments: `Page<HostRow>` is `HostRowPage`. */
  private namedAs(type: Type): NamedType | null {
    const alias = type.getAliasSymbol()
    if (alias && isOfTheHouse(alias)) return this.named(alias, type.getAliasTypeArguments())
    if (type.isUnionType()) return this.unions.get(membersOf(type.getTypes())) ?? null
    const symbol = type.getSymbol()
    if (!symbol || !(symbol.flags & SymbolFlags.Interface) || !isOfTheHouse(symbol)) return null
    return this.named(symbol, type.isTypeReference() ? this.checker.getTypeArguments(type) : [])
  }

  private named(symbol: TypeSymbol, given: readonly Type[]): NamedType | null {
    const names = given.map((each) => this.namedAs(each)?.name)
    return names.includes(undefined) ? null : { name: [...names, symbol.name].join(''), symbol }
  }

  private shapeOf(type: Type): JsonSchema {
    if (type.flags & (REFUSED & ~TypeFlags.TemplateLiteral)) return this.refuse(this.checker.typeToString(type))
    if (type.isTemplateLiteralType()) return { type: 'string', pattern: patternOf(type.texts) }
    if (type.isUnionType()) return this.unionOf(type.getTypes())
    if (type.isStringLiteralType() || type.isNumberLiteralType() || type.isBooleanLiteralType())
      return { type: typeof type.value, const: type.value }
    const [, basic] = BASIC.find(([flags]) => type.flags & flags) ?? []
    if (basic) return basic
    const branded = type.isIntersectionType() && type.getTypes().find(({ flags }) => flags & TypeFlags.Primitive)
    if (branded) return this.shapeOf(branded)
    if (this.checker.isTupleType(type)) return this.tupleOf(type)
    if (type.isTypeReference() && isList(this.checker, type)) return this.listOf(this.checker.getTypeArguments(type))
    return this.objectOf(type)
  }

  private listOf([item]: readonly Type[]): JsonSchema {
    return { type: 'array', items: item ? this.within('[]', () => this.schemaOf(item)) : {} }
  }

  private tupleOf(type: Type): JsonSchema {
    if (!type.isTypeReference()) return this.refuse(this.checker.typeToString(type))
    const { elementFlags } = type.getTarget() as TupleType
    const types = this.checker.getTypeArguments(type)
    const isFixed = (flags = ElementFlags.None) => (flags & ElementFlags.Fixed) !== 0
    const fixed = types.filter((_, n) => isFixed(elementFlags[n]))
    const more = types.filter((_, n) => !isFixed(elementFlags[n]))
    const [rest] = more
    const isPlain = more.length <= 1 && elementFlags.slice(fixed.length).every((flags) => flags & ElementFlags.Rest)
    if (!isPlain) return this.refuse(this.checker.typeToString(type))
    const prefixItems = fixed.map((each, n) => this.within(String(n), () => this.schemaOf(each)))
    const end = rest ? { items: this.within('[]', () => this.schemaOf(rest)) } : { maxItems: fixed.length }
    const minItems = elementFlags.filter((flags) => flags & ElementFlags.Required).length
    return { type: 'array', ...(fixed.length > 0 ? { prefixItems } : {}), minItems, ...end }
  }

  private unionOf(types: readonly Type[]): JsonSchema {
    const some = types.filter(({ flags }) => !(flags & (TypeFlags.Null | NOTHING)))
    const orNull = some.length < types.length
    const known = this.unions.get(membersOf(some))
    if (known && orNull) return { anyOf: [this.schemaOf(known.type), { type: 'null' }] }
    const literals = some.flatMap((each) => (each.isLiteralType() ? [each.value as string | number | boolean] : []))
    const others = some.filter((each) => !each.isLiteralType()).map((each) => this.schemaOf(each))
    const all = [...others, ...enumerated(literals), ...(orNull ? [{ type: 'null' }] : [])]
    return joined(all.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))) // the compiler's order varies
  }

  private objectOf(type: Type): JsonSchema {
    const symbol = type.getSymbol()
    const isForeign = symbol && symbol.flags & SymbolFlags.Interface && !isOfTheHouse(symbol)
    const isCalled = this.checker.getSignaturesOfType(type, SignatureKind.Call).length > 0
    if (isForeign || isCalled) return this.refuse(this.checker.typeToString(type))
    const own = this.checker.getPropertiesOfType(type).filter(({ escapedName }) => !escapedName.startsWith('__@'))
    const properties = Object.fromEntries(own.map((each) => [each.name, this.propertyOf(each)]))
    const required = own.filter((each) => !this.mayLack(each)).map(({ name }) => name)
    const [index, ...more] = this.checker.getIndexInfosOfType(type)
    if (more.length > 0) this.refuse(`${this.checker.typeToString(type)}, which has several kinds of keys`)
    const additionalProperties = index && this.within('{}', () => this.schemaOf(index.valueType))
    return {
      type: 'object',
      ...(own.length > 0 ? { properties } : {}),
      ...(required.length > 0 ? { required } : {}),
      ...(additionalProperties ? { additionalProperties } : {}),
    }
  }

  private propertyOf(symbol: TypeSymbol): JsonSchema {
    const type = this.typeOf(symbol)
    const types = type.isUnionType() ? type.getTypes() : [type]
    const some = types.filter(({ flags }) => !(flags & NOTHING))
    const schema = this.within(symbol.name, () => {
      if (some.length === types.length) return this.schemaOf(type)
      const known = this.unions.get(membersOf(some))
      return known ? this.schemaOf(known.type) : this.unionOf(some)
    })
    return { ...schema, ...this.described(symbol) }
  }

  private mayLack(symbol: TypeSymbol): boolean {
    const type = this.typeOf(symbol)
    const types = type.isUnionType() ? type.getTypes() : [type]
    const isUndefined = types.some(({ flags }) => flags & (NOTHING | TypeFlags.Unknown))
    return isUndefined || (symbol.flags & SymbolFlags.Optional) !== 0
  }

  rememberUnion(union: NamedUnion): void {
    const members = membersOf(union.type.isUnionType() ? union.type.getTypes() : [])
    const known = this.unions.get(members)
    this.unions.set(members, known === undefined || known?.name === union.name ? (known ?? union) : null)
  }

  private described(symbol: TypeSymbol): JsonSchema {
    const description = symbol.getDocumentationComment(this.checker).replace(/\s+/g, ' ').trim()
    return description === '' ? {} : { description }
  }

  private typeOf(symbol: TypeSymbol): Type {
    return this.checker.getTypeOfSymbol(symbol) ?? this.checker.getUnknownType()
  }

  private within<T>(name: string, read: () => T): T {
    const before = this.at
    this.at = [...before, name]
    const answer = read()
    this.at = before
    return answer
  }

  private refuse(what: string): JsonSchema {
    this.problems.add(`${this.at.join('.')}: JSON does not carry ${what}.`)
    return {}
  }
}

const reference = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

const isForeignPath = (name: string): boolean => /node_modules\/|^bundled:/.test(name)

const isOfTheHouse = ({ declarations }: TypeSymbol): boolean =>
  declarations.length > 0 && !declarations.some((each) => isForeignPath(each.path))

const isList = (checker: Checker, type: Type): boolean =>
  checker.isArrayType(type) || type.getSymbol()?.name === 'ReadonlyArray'

const membersOf = (types: readonly Type[]): string =>
  types
    .map(({ id }) => id)
    .sort((a, b) => a - b)
    .join()

const patternOf = (texts: readonly string[]): string =>
  `^${texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('.*')}$`

function enumerated(values: readonly (string | number | boolean)[]): readonly JsonSchema[] {
  const kinds = [...new Set(values.map((value) => typeof value))].sort()
  return kinds.map((type) => {
    const some = values.filter((value) => typeof value === type).sort()
    if (type === 'boolean' && some.length === 2) return { type }
    return some.length === 1 ? { type, const: some[0] } : { type, enum: some }
  })
}

/** Uses a shorter form where JSON Schema has one. */
function joined(schemas: readonly JsonSchema[]): JsonSchema {
  const [first, second] = schemas
  if (schemas.length === 1 && first) return first
  const isBare = (schema: JsonSchema) => Object.keys(schema).join() === 'type'
  if (schemas.every(isBare)) return { type: schemas.map(({ type }) => type).sort() }
  const isEnumOrNull = schemas.length === 2 && first?.type === 'null' && Array.isArray(second?.enum)
  if (isEnumOrNull && second) return { type: [second.type, 'null'], enum: [...(second.enum as string[]), null] }
  return { anyOf: schemas }
}
