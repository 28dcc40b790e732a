import type { Occurrence } from './source'
import { lineOf, type Node, treeOf, walk } from './tree'

// The rigs expect texts that the code writes elsewhere, and a rig runs only on a machine that has
// it. So each expected text must be one that the code can produce: a part of one of its strings or templates, or of a few
// that stand beside each other. Punctuation and letter case are not compared.

/** Words of a text; `HOLE` stands for an expression, and a word that a hole touches ends or begins with it. */
type Words = readonly string[]

/** From the private use area: no text has it. */
export const HOLE = '\uE000'
const WORD = /\uE000?[\p{L}\p{N}]+\uE000?|\uE000/gu

function wordsOf(text: string): Words {
  const words = text.toLowerCase().match(WORD) ?? []
  return words.flatMap((word) => {
    if (word === HOLE) return word
    return [...(word.startsWith(HOLE) ? [HOLE] : []), word, ...(word.endsWith(HOLE) ? [HOLE] : [])]
  })
}

const isNumber = (word: string) => /\p{N}/u.test(word)
/** The words that tell texts apart: neither numbers nor what is counted. */
const named = (words: Words) =>
  words.filter((word, at) => !isNumber(word) && (at === 0 || !isNumber(words[at - 1] ?? '')))
const isLiteral = (word: string) => !word.includes(HOLE)

/** Methods whose argument, and options whose value, is a text on screen or in an answer. */
const EXPECTING = new Set([
  ...['getByText', 'getByLabel', 'getByPlaceholder', 'toContainText', 'toHaveText', 'toHaveAccessibleName'],
  ...['toContain', 'toMatch', 'toThrow'],
])
const EXPECTED = new Set(['hasText', 'title', 'cause', 'name'])
const ROLES = new Set(['getByRole', 'filter'])

/** The texts that a file of tests expects, with constants that it passes by name. */
export function expectedTexts(path: string, text: string): readonly Occurrence[] {
  const found: Occurrence[] = []
  const named = new Set<string>()
  const constants = new Map<string, Node>()
  const expect = (node: Node | undefined) => {
    if (node?.type === 'Identifier') named.add(node.name)
    else if (node) found.push(...phrasesOf(node).map((name) => ({ name, line: lineOf(node) })))
  }
  walk(treeOf(path, text).program, (node) => {
    if (node.type === 'VariableDeclarator' && node.init) constants.set(node.id.name, node.init)
    if (node.type === 'CallExpression' && EXPECTING.has(node.callee.property?.name)) expect(node.arguments[0])
    if (node.type === 'CallExpression' && ROLES.has(node.callee.property?.name)) {
      for (const option of node.arguments.at(-1)?.properties ?? [])
        if (EXPECTED.has(option.key?.name)) expect(option.value)
    }
    if (node.type === 'ObjectProperty' && (node.key.name === 'title' || node.key.name === 'cause')) expect(node.value)
  })
  for (const name of named) if (/^[A-Z_]+$/.test(name)) expect(constants.get(name))
  return found
}

/** Shorter ones are mostly labels with a name, and chance finds their words. */
const WORDS_MIN = 3

function phrasesOf(node: Node): readonly string[] {
  const texts =
    node.type === 'StringLiteral'
      ? [node.value as string]
      : node.type === 'TemplateLiteral'
        ? [templateOf(node).replaceAll(HOLE, '0')]
        : node.type === 'RegExpLiteral'
          ? matchedBy(node.pattern)
          : []
  return texts.filter((text) => named(wordsOf(text)).length >= WORDS_MIN)
}

const templateOf = ({ quasis }: Node): string =>
  (quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(HOLE)

/** Texts that a pattern matches, one of each alternative; what may be anything separates them. */
function matchedBy(pattern: string): readonly string[] {
  const plain = pattern.replace(/\\d\+?|\\\d/g, '0').replace(/\\[sb]\+?/g, ' ')
  return expanded(plain).flatMap((each) =>
    each
      .replace(/.\?/g, '')
      .split(/\.[*+]|\[[^\]]*\][*+]?/)
      .map((part) => part.replace(/[\\^$]/g, '')),
  )
}

function expanded(pattern: string): readonly string[] {
  const [whole, inner] = /\((?:\?:)?([^()]*)\)/.exec(pattern) ?? []
  if (whole !== undefined && inner !== undefined)
    return inner.split('|').flatMap((each) => expanded(pattern.replace(whole, () => each)))
  return pattern.split('|')
}

/** All strings and templates of a file. */
export function writtenTexts(path: string, text: string): readonly string[] {
  const written: string[] = []
  walk(treeOf(path, text).program, (node, parent) => {
    if (node.type === 'StringLiteral' && parent?.type !== 'ImportDeclaration') written.push(node.value)
    if (node.type === 'JSXText') written.push(node.value)
    if (node.type === 'TemplateLiteral') written.push(templateOf(node))
  })
  return written
}

/** Words that one hole may hide: a name, a count with its noun. */
const FILLED = 3

/** Whether these texts can produce a text: one of them, or up to three that stand beside each other. */
export function textProducer(written: readonly string[]): (text: string) => boolean {
  const templates = new Map(written.map(wordsOf).map((words) => [words.join(' '), words]))
  const byWord = new Map<string, Words[]>()
  for (const words of templates.values())
    for (const word of new Set(words)) byWord.set(word, [...(byWord.get(word) ?? []), words])
  return (text) => {
    const words = wordsOf(text)
    const candidates = [...new Set(words.flatMap((word) => byWord.get(word) ?? []))]
    return isProducible(candidates, words, { begins: false, parts: PARTS })
  }
}

const PARTS = 3

function isProducible(
  candidates: readonly Words[],
  words: Words,
  { begins, parts }: { readonly begins: boolean; readonly parts: number },
): boolean {
  const isPart = (part: Words, ends: Ends) => candidates.some((template) => isPartOf(template, part, ends))
  if (isPart(words, { begins, ends: false })) return true
  if (parts === 1) return false
  return words.some(
    (_, at) =>
      at > 0 &&
      isPart(words.slice(0, at), { begins, ends: true }) &&
      isProducible(candidates, words.slice(at), { begins: true, parts: parts - 1 }),
  )
}

/** Where the part must begin or end with the template, or at one of its holes. */
interface Ends {
  readonly begins: boolean
  readonly ends: boolean
}

function isPartOf(template: Words, part: Words, { begins, ends }: Ends): boolean {
  const all = named(part).length
  // One word alone proves nothing, unless it is all that the template writes.
  if (all === 0) return true
  if (all < 2 && template.filter((word) => word !== HOLE).join(' ') !== named(part).join(' ')) return false
  const starts = template.map((_, at) => at).filter((at) => !begins || at === 0 || template[at - 1] === HOLE)
  const most = Math.max(...starts.map((at) => writtenWords(template.slice(at), part, ends)))
  return most * 5 >= all * 3
}

/** The words of the part that the template writes itself, when the part is its beginning; negative when it is not. */
function writtenWords(template: Words, part: Words, isWhole: boolean): number {
  const [written, ...rest] = template
  if (part.length === 0) return isWhole && written !== undefined && written !== HOLE ? -NEVER : 0
  if (written === undefined) return -NEVER
  if (written !== HOLE) {
    const word = part[0] ?? ''
    return isSame(written, word) ? writtenWords(rest, part.slice(1), isWhole) + (isNumber(word) ? 0 : 1) : -NEVER
  }
  const fills = Array.from({ length: Math.min(FILLED, part.length) + 1 }, (_, filled) => filled)
  return Math.max(...fills.map((filled) => writtenWords(rest, part.slice(filled), isWhole)))
}

const NEVER = 1_000

function isSame(written: string, word: string): boolean {
  if (isLiteral(written)) return written === word
  const part = written.replaceAll(HOLE, '')
  if (written.startsWith(HOLE) && written.endsWith(HOLE)) return word.includes(part)
  return written.startsWith(HOLE) ? word.endsWith(part) : word.startsWith(part)
}
