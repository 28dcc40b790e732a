import type { XmlElement, XmlNode } from './tree'

// Edits of a tree. None changes it in place: each returns a new element that shares the unchanged parts.

export type Attributes = Readonly<Record<string, string | number | undefined>>

/** Undefined attributes are omitted. A text is a child. */
export function element(name: string, attributes: Attributes = {}, ...children: (XmlNode | string)[]): XmlElement {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined)
  return {
    kind: 'element',
    name,
    attributes: new Map(given.map(([key, value]) => [key, String(value)])),
    children: children.map((child) => (typeof child === 'string' ? { kind: 'text', text: child } : child)),
  }
}

export const childrenNamed = (parent: XmlElement | null, name: string): readonly XmlElement[] =>
  (parent?.children ?? []).filter((node): node is XmlElement => node.kind === 'element' && node.name === name)

export const childNamed = (parent: XmlElement | null, name: string): XmlElement | null =>
  childrenNamed(parent, name)[0] ?? null

export const attributeOf = (of: XmlElement | null, name: string): string | null => of?.attributes.get(name) ?? null

export const textIn = (of: XmlElement | null): string =>
  (of?.children ?? [])
    .map((node) => (node.kind === 'text' || node.kind === 'cdata' ? node.text : ''))
    .join('')
    .trim()

export const withText = (of: XmlElement, text: string): XmlElement => ({ ...of, children: [{ kind: 'text', text }] })

/** Removes attributes that are undefined. */
export function withAttributes(of: XmlElement, changes: Attributes): XmlElement {
  const attributes = new Map(of.attributes)
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) attributes.delete(key)
    else attributes.set(key, String(value))
  }
  return { ...of, attributes }
}

const isNamed = (node: XmlNode, names: readonly string[]) => node.kind === 'element' && names.includes(node.name)

/** Replaces the children of these names; the new ones stand where the first of them stood, or at the end. */
export function replaceChildren(
  parent: XmlElement,
  names: readonly string[],
  others: readonly XmlElement[],
): XmlElement {
  const at = parent.children.findIndex((node) => isNamed(node, names))
  const before = at < 0 ? parent.children : parent.children.slice(0, at)
  const after = at < 0 ? [] : parent.children.slice(at).filter((node) => !isNamed(node, names))
  return { ...parent, children: [...before, ...others, ...after] }
}

/** Applies `change` to the first child of that name, or to an empty one, and removes it if it has no children left. */
export function changeChild(
  parent: XmlElement,
  name: string,
  change: (child: XmlElement) => XmlElement | null,
): XmlElement {
  const changed = change(childNamed(parent, name) ?? element(name))
  return replaceChildren(parent, [name], changed === null || isBare(changed) ? [] : [changed])
}

const isBare = ({ attributes, children }: XmlElement) =>
  attributes.size === 0 && children.every((node) => node.kind === 'text' && node.text.trim() === '')
