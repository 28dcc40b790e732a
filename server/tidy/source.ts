import { expectedOfChance } from './chance'
import { type Comment, lineOf, type Node, treeOf, walk } from './tree'

// Reads a source file into the facts that the house law needs.

export interface Import {
  readonly from: string
  readonly typeOnly: boolean
  /** Imported by a call of `import` or `require.resolve`, and so loaded when needed. */
  readonly lazy: boolean
  readonly line: number
}

export interface FunctionShape {
  readonly name: string
  readonly line: number
  readonly lines: number
  readonly parameters: number
  readonly drawsJsx: boolean
}

export interface Occurrence {
  readonly name: string
  readonly line: number
}

export interface Source {
  /** Path from the root of the repository, with forward slashes. */
  readonly path: string
  readonly lines: number
  readonly client: boolean
  readonly imports: readonly Import[]
  readonly functions: readonly FunctionShape[]
  readonly declared: readonly Occurrence[]
  /** Interfaces, type aliases, classes and enumerations. */
  readonly types: readonly Occurrence[]
  /** Uses that a pure file must not have: `Date.now`, `new Date()`, `await`, names of globals. */
  readonly uses: readonly Occurrence[]
  readonly defaultExport: number | null
  /** Module-level `let`. */
  readonly mutable: readonly Occurrence[]
  readonly exported: readonly Occurrence[]
  /** Strings and templates that may be shown; `{}` stands for a template's expressions. */
  readonly texts: readonly Occurrence[]
  /** The first line of each comment. */
  readonly comments: readonly Occurrence[]
  /** Names of tests and suites. */
  readonly tests: readonly Occurrence[]
  /** Lines that expect random runs to have reached something (H5). */
  readonly chances: readonly number[]
}

interface Facts {
  readonly imports: Import[]
  readonly functions: FunctionShape[]
  readonly declared: Occurrence[]
  readonly types: Occurrence[]
  readonly uses: Occurrence[]
  readonly mutable: Occurrence[]
  readonly exported: Occurrence[]
  readonly texts: Occurrence[]
  readonly tests: Occurrence[]
  readonly chances: number[]
  defaultExport: number | null
}

const FUNCTIONS = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
])

const TYPES = new Set(['ClassDeclaration', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration', 'TSEnumDeclaration'])

const SIGNATURES = new Set(['TSFunctionType', 'TSMethodSignature'])

export function readSource(path: string, text: string): Source {
  const { program, comments } = treeOf(path, text)
  const facts: Facts = {
    imports: [],
    functions: [],
    declared: [],
    types: [],
    uses: [],
    mutable: [],
    exported: [],
    texts: [],
    tests: [],
    chances: [],
    defaultExport: null,
  }
  for (const statement of program.body) noteStatement(statement, facts)
  walk(program, (node, parent) => note(node, parent, facts))
  const client = program.directives.some((directive: Node) => directive.value.value === 'use client')
  return { path, lines: text.split('\n').length - 1, client, comments: firstLines(comments), ...facts }
}

/** Notes facts of top-level statements. */
function noteStatement(node: Node, facts: Facts): void {
  const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
  if (declaration?.type === 'VariableDeclaration' && declaration.kind !== 'const' && !declaration.declare) {
    facts.mutable.push({ name: declaration.declarations[0].id.name ?? '{}', line: lineOf(node) })
  }
  if (node.type === 'ExportDefaultDeclaration') facts.defaultExport = lineOf(node)
  if (node.type === 'ExportNamedDeclaration') {
    const inner: Node[] = declaration?.declarations ?? (declaration ? [declaration] : node.specifiers)
    for (const each of inner)
      facts.exported.push({ name: (each.id ?? each.exported)?.name ?? '{}', line: lineOf(each) })
  }
}

function note(node: Node, parent: Node | null, facts: Facts): void {
  const line = lineOf(node)
  const imported = importOf(node)
  if (imported) facts.imports.push({ ...imported, line })
  if (FUNCTIONS.has(node.type) && node.body) facts.functions.push(shapeOf(node, parent))
  if (SIGNATURES.has(node.type)) facts.functions.push(signatureOf(node, parent))
  const declared = declaredBy(node)
  if (declared) facts.declared.push({ name: declared, line })
  if (declared && TYPES.has(node.type)) facts.types.push({ name: declared, line })
  const used = namedUse(node, parent)
  if (used) facts.uses.push({ name: used, line })
  const tested = testNamed(node)
  if (tested) facts.tests.push({ name: tested, line })
  if (node.type === 'BlockStatement') facts.chances.push(...expectedOfChance(node))
  const text = textOf(node, parent)
  if (text) facts.texts.push({ name: text, line })
}

/** Parent nodes whose strings are names, patterns or paths. */
const NOT_SHOWN = new Set([
  'ImportDeclaration',
  'ExportNamedDeclaration',
  'ExportAllDeclaration',
  'TSLiteralType',
  'TaggedTemplateExpression',
  'SwitchCase',
  'BinaryExpression',
])

function textOf(node: Node, parent: Node | null): string | null {
  if (parent === null || NOT_SHOWN.has(parent.type)) return null
  if (parent.type === 'ObjectProperty' && (parent.key === node || NAME_PROPERTIES.has(parent.key.name))) return null
  if (node.type === 'StringLiteral') return /\p{L}/u.test(node.value) ? node.value : null
  return node.type === 'TemplateLiteral' ? templateText(node) : null
}

/** Properties of the catalogue whose values are names in the code. */
const NAME_PROPERTIES = new Set(['shape', 'tone'])

const templateText = ({ quasis }: Node): string =>
  (quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}')

const SUITES = new Set(['describe', 'test', 'it'])

function testNamed(node: Node): string | null {
  if (node.type !== 'CallExpression' || !SUITES.has(nameOfCall(node))) return null
  const [name] = node.arguments
  if (name?.type === 'StringLiteral') return name.value
  return name?.type === 'TemplateLiteral' ? templateText(name) : null
}

/** Consecutive comment lines are one comment. */
function firstLines(comments: readonly Comment[]): Occurrence[] {
  return comments.flatMap(({ value, loc }, nth) => {
    const before = comments[nth - 1]?.loc
    if (!loc || (before && before.end.line === loc.start.line - 1)) return []
    const [name] = value
      .split('\n')
      .map((line) => line.replace(/^[\s*]+/, '').trim())
      .filter(Boolean)
    return name ? [{ name, line: loc.start.line }] : []
  })
}

function importOf(node: Node): Omit<Import, 'line'> | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration': {
      if (!node.source) return null
      const kind = node.importKind ?? node.exportKind
      const parts: Node[] = node.specifiers ?? []
      const onlyTypes = parts.length > 0 && parts.every((part) => (part.importKind ?? part.exportKind) === 'type')
      return { from: node.source.value, typeOnly: kind === 'type' || onlyTypes, lazy: false }
    }
    case 'TSImportType':
      return { from: (node.argument?.literal ?? node.argument).value, typeOnly: true, lazy: false }
    case 'CallExpression': {
      const resolved = node.callee.object?.name === 'require' && node.callee.property?.name === 'resolve'
      const called = node.callee.type === 'Import' || node.callee.name === 'require' || resolved
      const [from] = node.arguments
      const lazy = node.callee.name !== 'require'
      return called && from?.type === 'StringLiteral' ? { from: from.value, typeOnly: false, lazy } : null
    }
    default:
      return null
  }
}

function shapeOf(node: Node, parent: Node | null): FunctionShape {
  const named = node.id?.name ?? node.key?.name ?? parent?.id?.name ?? parent?.key?.name
  const called = parent?.type === 'CallExpression' ? `${nameOfCall(parent)} callback` : 'anonymous'
  let drawsJsx = false
  walk(node.body, (inner) => {
    if (inner.type === 'JSXElement' || inner.type === 'JSXFragment') drawsJsx = true
  })
  // The caller determines a callback's parameters; for our own callbacks they are counted where the type is declared.
  const callback =
    parent?.type === 'CallExpression' || parent?.type === 'NewExpression' || parent?.type === 'ObjectProperty'
  const parameters = callback ? 0 : countParameters(node.params)
  const lines = node.loc.end.line - node.loc.start.line + 1
  return { name: named ?? called, line: lineOf(node), lines, parameters, drawsJsx }
}

function signatureOf(node: Node, parent: Node | null): FunctionShape {
  const name = node.key?.name ?? parent?.id?.name ?? 'a function type'
  return { name, line: lineOf(node), lines: 0, parameters: countParameters(node.parameters), drawsJsx: false }
}

/** A `this` parameter is a type annotation, not an argument. */
function countParameters(parameters: readonly Node[]): number {
  return parameters.filter((parameter) => parameter.name !== 'this').length
}

/** `describe` for `describe(…)`, `describe.each(…)(…)` and the like. */
function nameOfCall({ callee }: Node): string {
  return callee.name ?? callee.object?.name ?? callee.property?.name ?? (callee.callee ? nameOfCall(callee) : 'a call')
}

function declaredBy(node: Node): string | null {
  switch (node.type) {
    case 'VariableDeclarator':
    case 'FunctionDeclaration':
    case 'ClassDeclaration':
    case 'TSInterfaceDeclaration':
    case 'TSTypeAliasDeclaration':
    case 'TSEnumDeclaration':
      return node.id?.name ?? null
    case 'TSPropertySignature':
    case 'TSMethodSignature':
      return node.key?.name ?? null
    default:
      return null
  }
}

function namedUse(node: Node, parent: Node | null): string | null {
  if (node.type === 'AwaitExpression' || (node.type === 'ForOfStatement' && node.await)) return 'await'
  if (FUNCTIONS.has(node.type) && node.async) return 'async'
  if (node.type === 'NewExpression' && node.callee.name === 'Date' && node.arguments.length === 0) return 'new Date()'
  if (node.type === 'MemberExpression' && node.object.type === 'Identifier' && node.property.type === 'Identifier') {
    return `${node.object.name}.${node.property.name}`
  }
  // An identifier may be the use of a global unless it only names a property or a member of a type.
  if (node.type !== 'Identifier') return null
  const isLabel = (parent?.property === node && !parent.computed) || (parent?.key === node && !parent.computed)
  return isLabel ? null : node.name
}
