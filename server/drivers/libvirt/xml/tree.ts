import { XMLBuilder, XMLParser, XMLValidator } from 'fast-xml-parser'

// XML as a tree that keeps order and unknown elements, so that a document can be edited in one place and written again.
// The library reads and writes the markup; values are decoded here, because its own decoding leaves numeric references
// as they are and its builder would then escape them a second time.

export interface XmlElement {
  readonly kind: 'element'
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlNode[]
}

export type XmlNode = XmlElement | { readonly kind: 'text' | 'cdata' | 'comment'; readonly text: string }

export type ParsedXml = { readonly ok: true; readonly root: XmlElement } | { readonly ok: false; readonly why: string }

const LONGEST = 4 * 1024 * 1024 // REMOTE_STRING_MAX of libvirt: the longest string it sends or accepts
const DEEPEST = 100 // maximum nesting; a domain has about eight levels

const COMMON = {
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  cdataPropName: '#cdata',
  commentPropName: '#comment',
  processEntities: false,
} as const

const parser = new XMLParser({
  ...COMMON,
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
})
const builder = new XMLBuilder({ ...COMMON, suppressEmptyNode: true, suppressBooleanAttributes: false })

/** Declarations and processing instructions are left out; a DOCTYPE is refused, for libvirt sends none. */
export function parseXmlTree(text: string): ParsedXml {
  if (text.length > LONGEST) return { ok: false, why: `the XML has more than ${LONGEST} characters` }
  if (/<!DOCTYPE/i.test(text)) return { ok: false, why: 'the XML has a DOCTYPE' }
  try {
    const valid = XMLValidator.validate(text)
    if (valid !== true) return { ok: false, why: `line ${valid.err.line}: ${valid.err.msg}` }
    const nodes = nodesOf(parser.parse(text), 0)
    const [root, another] = nodes.filter((node) => node.kind === 'element')
    if (!root) return { ok: false, why: 'there is no element' }
    return another ? { ok: false, why: `there is <${another.name}> after <${root.name}>` } : { ok: true, root }
  } catch (error) {
    return { ok: false, why: (error as Error).message }
  }
}

export const buildXml = (root: XmlElement): string => builder.build([rawOf(root)])

/** The library's form of an ordered node: one key is the element, `:@` are its attributes. */
type RawNode = Readonly<Record<string, unknown>>

function nodesOf(raw: unknown, depth: number): XmlNode[] {
  if (!Array.isArray(raw)) throw new Error('this XML is not supported')
  if (depth > DEEPEST) throw new Error(`elements are nested more than ${DEEPEST} deep`)
  return raw.map((node) => nodeOf(node as RawNode, depth))
}

function nodeOf(raw: RawNode, depth: number): XmlNode {
  const name = Object.keys(raw).find((key) => key !== ':@')
  if (name === undefined) throw new Error('an element has no name')
  const value = raw[name]
  if (name === '#text') return { kind: 'text', text: decoded(String(value)) }
  if (name === '#cdata') return { kind: 'cdata', text: innerText(value) }
  if (name === '#comment') return { kind: 'comment', text: innerComment(value) }
  const attributes = Object.entries((raw[':@'] ?? {}) as Record<string, unknown>)
  for (const each of [name, ...attributes.map(([key]) => key)])
    if (!XML_NAME.test(each)) throw new Error(`${JSON.stringify(each.slice(0, 40))} is not a name`)
  return {
    kind: 'element',
    name,
    // XML reads a line break or tab inside a value as a space, unless it is written as a reference.
    attributes: new Map(attributes.map(([key, text]) => [key, decoded(String(text).replace(/[\t\r\n]/g, ' '))])),
    children: nodesOf(value, depth + 1),
  }
}

// The library accepts some malformed markup, such as an unclosed comment.
const XML_NAME = /^[\p{L}_][\p{L}\p{N}_.-]*(:[\p{L}_][\p{L}\p{N}_.-]*)?$/u

function innerComment(value: unknown): string {
  const text = innerText(value)
  if (text.includes('--') || text.endsWith('-')) throw new Error('a comment has -- in it')
  return text
}

const innerText = (value: unknown) =>
  Array.isArray(value) ? value.map((part) => String((part as RawNode)['#text'] ?? '')).join('') : ''

function rawOf(node: XmlNode): RawNode {
  switch (node.kind) {
    case 'text':
      return { '#text': encoded(node.text) }
    case 'cdata':
    case 'comment':
      return { [`#${node.kind}`]: [{ '#text': node.text }] }
    case 'element': {
      const attributes = [...node.attributes].map(([key, text]) => [key, encodedAttribute(text)] as const)
      const own = { [node.name]: node.children.map(rawOf) }
      return attributes.length === 0 ? own : { ...own, ':@': Object.fromEntries(attributes) }
    }
    default:
      return node satisfies never
  }
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decoded(text: string): string {
  return text.replace(/&([^;&\s]{1,10};)?/g, (whole, reference: string | undefined) => {
    const name = reference?.slice(0, -1) ?? ''
    const named = Object.hasOwn(NAMED, name) ? NAMED[name] : undefined
    if (named !== undefined) return named
    const [, hex, digits] = /^#(?:x([0-9a-f]+)|(\d+))$/i.exec(name) ?? []
    const code = hex === undefined ? Number(digits ?? Number.NaN) : Number.parseInt(hex, 16)
    if (!isXmlCharacter(code)) throw new Error(`${whole} is not a character`)
    return String.fromCodePoint(code)
  })
}

/** Source: XML 1.0, production 2, Char. */
const isXmlCharacter = (code: number) =>
  code === 9 ||
  code === 10 ||
  code === 13 ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff)

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const encoded = (text: string) => text.replace(/[&<>]/g, (letter) => ESCAPED[letter] ?? letter).replace(/\r/g, '&#13;')
const encodedAttribute = (text: string) =>
  text
    .replace(/[&<>"]/g, (letter) => ESCAPED[letter] ?? letter)
    .replace(/[\t\r\n]/g, (letter) => `&#${letter.charCodeAt(0)};`)
