import fs from 'node:fs'
import path from 'node:path'
import { childrenOf, lineOf, type Node, treeOf } from './tree'

// Every SQL statement that the store can send, read from its source: any literal that begins like a statement. Names in
// it are resolved to their constants. A statement that is put together at run time has no text here (`text` null).

export interface Statement {
  readonly file: string
  readonly line: number
  /** Null: a part of it is only known at run time. */
  readonly text: string | null
}

type Constants = ReadonlyMap<string, Node>

const BEGINS = /^\s*(--.*\n\s*)*(select|with|insert into|update|delete from)\s/

export function statementsIn(folder: string): readonly Statement[] {
  const files = fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/\.test\.ts$|(^|\/)testing\//.test(file))
    .sort()
  const trees = files.map((file) => ({
    file,
    tree: treeOf(file, fs.readFileSync(path.join(folder, file), 'utf8')).program,
  }))
  const exported = new Map(trees.flatMap(({ tree }) => [...constantsOf(tree)]))
  return trees.flatMap(({ file, tree }) => {
    const constants = new Map([...exported, ...constantsOf(tree)])
    return literalsOf(tree).flatMap((node) => {
      if (!BEGINS.test(beginningOf(node))) return []
      return [{ file, line: lineOf(node), text: textOf(node, constants, 0) }]
    })
  })
}

/** The top-level constants and functions of a module, by name. */
function constantsOf(tree: Node): Constants {
  const declared: Node[] = tree.body.map((node: Node) => node.declaration ?? node)
  const variables = declared.filter((node) => node.type === 'VariableDeclaration' && node.kind === 'const')
  const functions = declared.filter((node) => node.type === 'FunctionDeclaration')
  return new Map([
    ...variables.flatMap((node) => node.declarations.map((each: Node) => [each.id.name, bare(each.init)])),
    ...functions.map((node) => [node.id.name, node] as const),
  ])
}

const bare = (node: Node): Node => (/^TS(As|Satisfies)Expression$/.test(node.type) ? bare(node.expression) : node)

/** A tagged template for Prisma, in which every value is a parameter. */
const isTagged = (node: Node) =>
  node.type === 'TaggedTemplateExpression' && /^\$(query|execute)Raw$/.test(node.tag.property?.name)

function withParameters({ quasi, loc }: Node): Node {
  const texts: string[] = quasi.quasis.map((each: Node) => each.value.cooked)
  return { type: 'StringLiteral', loc, value: texts.map((text, at) => (at === 0 ? text : `$${at}${text}`)).join('') }
}

function literalsOf(node: Node): readonly Node[] {
  if (isTagged(node)) return [withParameters(node)]
  const here = node.type === 'StringLiteral' || node.type === 'TemplateLiteral' ? [node] : []
  return [...here, ...childrenOf(node).flatMap(literalsOf)]
}

const beginningOf = (node: Node): string => (node.type === 'StringLiteral' ? node.value : node.quasis[0].value.cooked)

const DEEP = 9

function textOf(node: Node, constants: Constants, depth: number): string | null {
  if (depth > DEEP) return null
  if (node.type === 'StringLiteral') return node.value
  if (node.type === 'NumericLiteral') return String(node.value)
  if (node.type === 'Identifier') {
    const constant = constants.get(node.name)
    return constant ? textOf(constant, constants, depth + 1) : null
  }
  if (node.type === 'CallExpression') return textOfCall(node, constants, depth)
  if (node.type !== 'TemplateLiteral') return null
  const parts = node.expressions.map((part: Node) => textOf(part, constants, depth + 1))
  if (parts.includes(null)) return null
  return node.quasis.map((quasi: Node, at: number) => quasi.value.cooked + (parts[at] ?? '')).join('')
}

/** The text that a function returns, with its arguments filled in; null if it does anything else. */
function textOfCall(call: Node, constants: Constants, depth: number): string | null {
  const called = constants.get(call.callee.name)
  const [only] = called?.body?.type === 'BlockStatement' ? called.body.body : []
  const answer: Node | undefined = only ? only.argument : called?.body
  if (!called?.params || !answer || only?.type === 'IfStatement') return null
  const given = called.params.flatMap((parameter: Node, at: number) => {
    const value = call.arguments[at]
    const text = value ? textOf(value, constants, depth + 1) : null
    return text === null ? [] : [[parameter.name, { type: 'StringLiteral', loc: call.loc, value: text }] as const]
  })
  const hidden = new Map([...constants].filter(([name]) => !called.params.some((each: Node) => each.name === name)))
  return textOf(answer, new Map<string, Node>([...hidden, ...given]), depth + 1)
}
