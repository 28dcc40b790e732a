import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from '@babel/parser'
import { expect, test } from 'vitest'
import { CATALOGUE } from './catalogue'

// All text of the console is in the catalogue. A component takes whole sentences from it: a sentence assembled on
// screen can be neither translated nor lengthened.

const ROOT = path.join(import.meta.dirname, '..')
const below = (room: string) => readdirSync(path.join(ROOT, room), { recursive: true }).map((file) => `${room}/${file}`)
const sources = [...below('components'), ...below('app')]
const files = sources.filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))

/** Attributes that users read or hear. */
const SPOKEN = new Set(['aria-label', 'title', 'label', 'placeholder', 'help', 'hint', 'tip', 'alt', 'detail', 'verb'])
const WORD = /\p{L}{2,}/u
/** Separators between parts of a sentence or an enumeration; ids and addresses have no space after theirs. */
const BETWEEN = /(^|\S)[,;:.] |(^| )[/·+–−] |^ \p{L}|\p{L} \p{L}/u

interface Node {
  readonly type: string
  readonly loc?: { readonly start: { readonly line: number } }
  readonly [key: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function* nodesIn(node: Node): Generator<Node> {
  yield node
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc') continue
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield* nodesIn(each)
  }
}

/** Text that this expression would show and that is its own literal. */
function ownText(node: unknown): string | null {
  if (!isNode(node)) return null
  switch (node.type) {
    case 'StringLiteral':
      return WORD.test(String(node.value)) ? 'a text of its own' : null
    case 'TemplateLiteral':
      return 'a template'
    case 'BinaryExpression':
      return node.operator === '+' && [node.left, node.right].some((side) => ownText(side) !== null)
        ? 'a concatenation'
        : null
    case 'ConditionalExpression':
      return ownText(node.consequent) ?? ownText(node.alternate)
    case 'LogicalExpression':
      return ownText(node.right)
    default:
      return null
  }
}

function spokenBy(node: Node): string | null {
  if (node.type === 'JSXText') return WORD.test(String(node.value)) ? 'a text of its own' : null
  if (node.type === 'JSXAttribute') {
    const { name, value } = node as unknown as { name: { name: unknown }; value: Node | null }
    if (!SPOKEN.has(String(name.name)) || !value) return null
    return ownText(value.type === 'JSXExpressionContainer' ? value.expression : value)
  }
  if (node.type !== 'JSXElement' && node.type !== 'JSXFragment') return null
  const children = node.children as readonly Node[]
  return (
    children
      .map((child) => (child.type === 'JSXExpressionContainer' ? ownText(child.expression) : null))
      .find(Boolean) ?? null
  )
}

/** Parts joined before they are shown, wherever that happens. */
function joinedBy(node: Node): string | null {
  if (node.type === 'CallExpression') {
    const {
      callee,
      arguments: [by],
    } = node as unknown as { callee: Node; arguments: readonly (Node | undefined)[] }
    const name = isNode(callee.property) ? callee.property.name : null
    return name === 'join' && by?.type === 'StringLiteral' && BETWEEN.test(String(by.value)) ? 'an enumeration' : null
  }
  if (node.type !== 'TemplateLiteral' || (node.expressions as readonly Node[]).length === 0) return null
  const texts = (node.quasis as readonly { value: { cooked: string } }[]).map(({ value }) => value.cooked)
  return texts.some((text) => BETWEEN.test(text)) ? 'a sentence with holes' : null
}

test.each(files)('%s shows only words from the catalogue', (file) => {
  const { program } = parse(readFileSync(path.join(ROOT, file), 'utf8'), {
    sourceType: 'module',
    plugins: ['typescript', 'jsx'],
  })
  const found = [...nodesIn(program as unknown as Node)].flatMap((node) => {
    const what = spokenBy(node) ?? joinedBy(node)
    return what ? [`line ${node.loc?.start.line}: ${what}; say it in words.ts`] : []
  })
  expect(found).toEqual([])
})

test('the catalogue has words for every noun', () => {
  const nouns = sources.filter((file) => file.endsWith('/words.ts')).map((file) => path.basename(path.dirname(file)))
  expect(Object.keys(CATALOGUE).sort()).toEqual([...nouns, 'lists'].sort())
})
