import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ClaimBody } from '../../../engine/host'
import type { InstanceId } from '../../../engine/words/ids'
import { attributeOf, childNamed, textIn } from './edit'
import { placeDomain } from './placement'
import { FOREIGN_DOMAIN } from './samples'
import { readTag, tagDomain } from './tag'
import { buildXml, parseXmlTree, type XmlElement, type XmlNode } from './tree'

const RUNS = Number(process.env.BERTH_FUZZ ?? 500)

const rootOf = (text: string): XmlElement => {
  const parsed = parseXmlTree(text)
  if (!parsed.ok) throw new Error(parsed.why)
  return parsed.root
}

const name = fc.stringMatching(/^[a-z][a-z0-9_.-]{0,6}(:[a-z]{1,4})?$/)
// XML has no other control characters, and reads a carriage return as a line break.
const value = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((text) => text.replace(/\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu, '\t').normalize('NFC'))
const quiet = value.map((text) => text.replace(/[-\]>?]/g, '_'))

const { node } = fc.letrec<{ node: XmlNode; element: XmlElement }>((tie) => ({
  element: fc.record({
    kind: fc.constant('element' as const),
    name,
    attributes: fc.array(fc.tuple(name, value), { maxLength: 3 }).map((pairs) => new Map(pairs)),
    children: fc.array(tie('node'), { maxLength: 4 }).map(apartTexts),
  }),
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ kind: fc.constant('text' as const), text: value.filter((text) => text !== '') }),
    fc.record({ kind: fc.constantFrom('cdata' as const, 'comment' as const), text: quiet }),
    tie('element'),
  ),
}))
const tree = node.filter((each): each is XmlElement => each.kind === 'element')

/** Two adjacent texts are one in the document. */
function apartTexts(nodes: readonly XmlNode[]): readonly XmlNode[] {
  return nodes.filter((each, at) => each.kind !== 'text' || nodes[at - 1]?.kind !== 'text')
}

describe('XML as a tree', () => {
  it('survives writing and reading', () => {
    const property = fc.property(tree, (root) => {
      expect(rootOf(buildXml(root))).toEqual(root)
    })
    fc.assert(property, { numRuns: RUNS })
  })

  it('keeps unknown content of a domain: order, namespaces, comments, text', () => {
    expect(rootOf(buildXml(rootOf(FOREIGN_DOMAIN)))).toEqual(rootOf(FOREIGN_DOMAIN))
    const written = buildXml(rootOf(FOREIGN_DOMAIN))
    for (const part of [
      '<qemu:arg value="-foo=&apos;a &amp; b&apos;"/>',
      '<!-- by hand -->',
      '<vendor:note xmlns:vendor=',
    ])
      expect(written).toContain(part)
  })

  it.each([
    ['<a b="&#65;&#x42;&lt;&amp;amp;"/>', 'AB<&amp;'],
    ['<a b="1\n2"/>', '1 2'],
    ['<a b="1&#10;2"/>', '1\n2'],
    [`<a b='"'/>`, '"'],
  ])('decodes the attribute value in %s', (text, expected) => {
    expect(attributeOf(rootOf(text), 'b')).toBe(expected)
    expect(attributeOf(rootOf(buildXml(rootOf(text))), 'b')).toBe(expected)
  })

  it.each([
    '',
    'text',
    '<a',
    '<a></b>',
    '<a/><b/>',
    '<a b="&nope;"/>',
    '<a>&#0;</a>',
    '<!DOCTYPE a><a/>',
    '<a>&</a>',
    '<a><!-- -- --></a>',
  ])('refuses %j', (text) => expect(parseXmlTree(text)).toMatchObject({ ok: false, why: expect.stringMatching(/./) }))

  it('carries a nested document', () => {
    const tag = { instance: 'i' as InstanceId, migration: null, settled: true, role: 'instance', claim: null } as const
    const outer = tagDomain(rootOf(FOREIGN_DOMAIN), { ...tag, kept: FOREIGN_DOMAIN })
    const inner = readTag(rootOf(buildXml(outer)))?.kept
    expect(rootOf(inner ?? '')).toEqual(rootOf(FOREIGN_DOMAIN.trim()))
  })
})

const PIECES = ['<', '>', '/', "'", '"', '&', '&lt;', '&#x0;', '<![CDATA[', ']]>', '<!--', '<?', '__proto__', '\u0000']
const mutations = fc.array(
  fc.record({ at: fc.nat(), remove: fc.nat({ max: 12 }), insert: fc.oneof(fc.constantFrom(...PIECES), value) }),
  { minLength: 1, maxLength: 4 },
)
const CLAIM: ClaimBody = {
  amounts: [],
  cells: [],
  units: [{ unit: 'pci:0000:3b:00.0', kind: 'pci', use: 'device' }],
}

describe('mutated XML of a domain', () => {
  it('is refused with a reason, or can be placed, written and read again', () => {
    const property = fc.property(mutations, (edits) => {
      const text = edits.reduce((before, { at, remove, insert }) => {
        const from = at % (before.length + 1)
        return before.slice(0, from) + insert + before.slice(from + remove)
      }, FOREIGN_DOMAIN)
      const parsed = parseXmlTree(text)
      if (!parsed.ok) {
        expect(parsed.why).not.toBe('')
        return
      }
      const placed = placeDomain(parsed.root, CLAIM)
      if (!placed.ok) {
        expect(placed.why).not.toBe('')
        return
      }
      const again = rootOf(buildXml(placed.domain))
      expect(buildXml(again)).toBe(buildXml(placed.domain))
      expect(textIn(childNamed(again, 'name'))).toBe(textIn(childNamed(parsed.root, 'name')))
    })
    fc.assert(property, { numRuns: RUNS })
  })
})
