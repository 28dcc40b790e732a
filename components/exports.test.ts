import fs from 'node:fs'
import path from 'node:path'
import { parse } from '@babel/parser'
import { describe, expect, it } from 'vitest'

// Checks every column of every table in the sources: a cell that shows a time or an amount with a unit defines its
// exported form. Without it a spreadsheet would get milliseconds, or MiB without a unit.

const ROOT = path.join(import.meta.dirname)
const TIMES = /<(RelativeTime|AbsoluteTime)\b/
const AMOUNTS = /\b(mib|gib|bytes|rate|duration|percent)\(|<(Elapsed|Duration)\b/
const NAMES = /<(HostLink|InstanceLink)\b/

interface ColumnSource {
  readonly where: string
  readonly cell: string
  readonly keys: ReadonlySet<string>
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function* objectsIn(node: Node): Generator<Node> {
  if (node.type === 'ObjectExpression') yield node
  for (const value of Object.values(node)) {
    for (const each of Array.isArray(value) ? value : [value]) if (isNode(each)) yield* objectsIn(each)
  }
}

/** Keys spread in conditionally. */
const spread = (object: string) => [...object.matchAll(/\{ (exportUnit):/g)].map(([, key]) => key ?? '')

function columnsIn(file: string): readonly ColumnSource[] {
  const text = fs.readFileSync(file, 'utf8')
  const program = parse(text, { sourceType: 'module', plugins: ['typescript', 'jsx'] }).program as unknown as Node
  return [...objectsIn(program)].flatMap((object) => {
    const properties = (object.properties as readonly Node[]).filter(({ key }) => isNode(key))
    const parts = new Map(
      properties.map((each) => [String((each.key as Node).name), text.slice(each.start, each.end)] as const),
    )
    if (!parts.has('id') || !parts.has('head')) return []
    return [
      {
        where: `${path.relative(ROOT, file)} ${parts.get('id')}`,
        cell: parts.get('cell') ?? '',
        keys: new Set([...parts.keys(), ...spread(text.slice(object.start, object.end))]),
      },
    ]
  })
}

const files = fs
  .readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
const columns = files.flatMap((name) => columnsIn(path.join(ROOT, name)))
const exported = columns.filter(({ keys }) => keys.has('value') || keys.has('parts') || keys.has('exported'))
const lacking = (pattern: RegExp, ...keys: readonly string[]) =>
  exported
    .filter(({ cell, keys: has }) => pattern.test(cell) && !keys.some((key) => has.has(key)))
    .map(({ where }) => where)

describe('an exported column', () => {
  it('is found for every table', () => {
    expect(exported.length).toBeGreaterThan(100)
  })
  it('is a time in UTC where the cell shows a time', () => {
    expect(lacking(TIMES, 'timestamp', 'exported', 'parts')).toEqual([])
  })
  it('is a number with its unit in the header where the cell shows an amount', () => {
    expect(lacking(AMOUNTS, 'exportUnit', 'exported', 'parts')).toEqual([])
  })
  it('has the id beside the name where the cell names a host or an instance', () => {
    expect(lacking(NAMES, 'exportId', 'parts', 'exported')).toEqual([])
  })
})
