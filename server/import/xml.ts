import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { parseCpuList } from '../engine/topology/cpu/cpu-list'
import { type ImportIssue, problem } from './issue'

/** An element as the parser returns it: attributes as `@name`, text as `#text`, children as lists by name. */
export interface Element {
  readonly [name: string]: string | readonly Element[] | undefined
}

// Every element is in a list and every value is a string: a <cell> that occurs once must not look different from one
// that occurs twice, and `0x06` must not become 6 before its meaning is known.
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (_name, _path, _leaf, isAttribute) => !isAttribute,
  alwaysCreateTextNode: true,
})

export function parseXml(text: string, file: string): { root: Element | null; issues: ImportIssue[] } {
  const valid = XMLValidator.validate(text)
  if (valid !== true) {
    const { line, col, msg } = valid.err
    return {
      root: null,
      issues: [
        problem(
          `${file} line ${line}, column ${col}`,
          `this is not well-formed XML: ${msg}`,
          'write the file again with virsh',
        ),
      ],
    }
  }
  try {
    return { root: parser.parse(text) as Element, issues: [] }
  } catch (error) {
    const what = `this XML is not supported: ${(error as Error).message}`
    return { root: null, issues: [problem(file, what, 'export the file again with virsh')] }
  }
}

export function children(element: Element | undefined, name: string): readonly Element[] {
  const value = element?.[name]
  return Array.isArray(value) ? (value as readonly Element[]) : []
}

export function child(element: Element | undefined, name: string): Element | undefined {
  return children(element, name)[0]
}

/** Follows a path of children: `at(root, 'host', 'topology', 'cells')`. */
export function at(element: Element | undefined, ...path: readonly string[]): Element | undefined {
  return path.reduce<Element | undefined>((here, name) => child(here, name), element)
}

export function attribute(element: Element | undefined, name: string): string | null {
  const value = element?.[`@${name}`]
  return typeof value === 'string' ? value : null
}

export function textOf(element: Element | undefined): string {
  const value = element?.['#text']
  return typeof value === 'string' ? value.trim() : ''
}

const NUMBER = /^(0x[0-9a-f]+|\d+)$/i

/** A whole number, decimal or 0x; null for anything else. */
export function wholeNumber(text: string | null): number | null {
  return text !== null && NUMBER.test(text.trim()) ? Number(text.trim()) : null
}

// libvirt prints lists of a few hundred characters. One of a megabyte could name a million CPUs a thousand times.
const LONGEST_CPU_LIST = 16_384

/** The CPUs or NUMA nodes in a list such as `0-3,^2,8`; null if the text is not such a list. */
export function cpusOfList(text: string | null): readonly number[] | null {
  return text === null || text.length > LONGEST_CPU_LIST ? null : parseCpuList(text)
}

const KIB_PER: Readonly<Record<string, number>> = {
  ...{ b: 1 / 1024, bytes: 1 / 1024, k: 1, KiB: 1, KB: 1000 / 1024, M: 1024, MiB: 1024, MB: 1_000_000 / 1024 },
  ...{ G: 1024 ** 2, GiB: 1024 ** 2, GB: 1_000_000_000 / 1024, T: 1024 ** 3, TiB: 1024 ** 3 },
}

/** The KiB of an element such as `<memory unit='MiB'>4</memory>`; the default unit is KiB. */
export function kibOf(element: Element | undefined): number | null {
  const amount = wholeNumber(textOf(element) || null)
  const perUnit = KIB_PER[attribute(element, 'unit') ?? 'KiB']
  return amount === null || perUnit === undefined ? null : Math.floor(amount * perUnit)
}
