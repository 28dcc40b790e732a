import { expect, test } from 'vitest'
import { type JsonSchema, schemasOf } from './schemas'

const FILE = 'server/tidy/types-of-a-test.ts'
const read = (text: string) => schemasOf({ file: FILE, type: 'Read', text })

/** All cases in one program: opening a program per case would take a second each. */
const CASES: readonly (readonly [type: string, schema: JsonSchema])[] = [
  ['string', { type: 'string' }],
  ['unknown', {}],
  ['void', { type: 'null' }],
  ['never', { not: {} }],
  ['true', { type: 'boolean', const: true }],
  ['boolean | null', { type: ['boolean', 'null'] }],
  ['"b" | "a"', { type: 'string', enum: ['a', 'b'] }],
  ['"b" | "a" | null', { type: ['string', 'null'], enum: ['a', 'b', null] }],
  [
    '1 | 2 | "x"',
    {
      anyOf: [
        { type: 'number', enum: [1, 2] },
        { type: 'string', const: 'x' },
      ],
    },
  ],
  ['string & { readonly [brand]: "Id" }', { type: 'string' }],
  ['Id', { $ref: '#/components/schemas/Id' }],
  ['Unit', { type: 'string', pattern: '^.*:.*\\.x$' }],
  ['(string | undefined)[]', { type: 'array', items: { type: ['null', 'string'] } }],
  [
    'readonly [a: string, b?: number]',
    list([{ type: 'string' }, { type: ['null', 'number'] }], { minItems: 1, maxItems: 2 }),
  ],
  ['readonly [string, ...number[]]', list([{ type: 'string' }], { minItems: 1, items: { type: 'number' } })],
  ['Readonly<Record<string, number>>', { type: 'object', additionalProperties: { type: 'number' } }],
  [
    '{ a: string; b?: number; c: number | undefined; d: unknown }',
    {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' }, c: { type: 'number' }, d: {} },
      required: ['a'],
    },
  ],
  ['Pick<Row, "id">', { type: 'object', properties: { id: { $ref: '#/components/schemas/Id' } }, required: ['id'] }],
  ['Step | undefined | null', { anyOf: [{ $ref: '#/components/schemas/Step' }, { type: 'null' }] }],
  ['Side', { $ref: '#/components/schemas/Side' }],
  ['Side | null', { anyOf: [{ $ref: '#/components/schemas/Side' }, { type: 'null' }] }],
  ['Page<Row>', { $ref: '#/components/schemas/RowPage' }],
  [
    'Page<string>',
    { type: 'object', properties: { rows: list([], { items: { type: 'string' } }) }, required: ['rows'] },
  ],
]

function list(prefixItems: readonly JsonSchema[], rest: JsonSchema): JsonSchema {
  return { type: 'array', ...(prefixItems.length > 0 ? { prefixItems } : {}), ...rest }
}

test('a type gets the schema of its JSON, and a type of ours is defined once', () => {
  const members = CASES.map(([type], n) => `readonly case${n}: ${type}`).join('\n')
  const { properties, components } = read(`
    declare const brand: unique symbol
    export type Id = string & { readonly [brand]: 'Id' }
    export type Side = 'source' | 'target'
    export type Unit = \`\${string}:\${number}.x\`
    const STEPS = ['claim', 'prepare', 'transfer'] as const
    export type Step = (typeof STEPS)[number]
    /** A row
     * of a list. */
    export interface Row {
      readonly id: Id
      /** Where \`side\` is. */
      readonly side?: Side | null
      readonly parent: Row | null
    }
    export interface Page<R> { readonly rows: readonly R[] }
    export interface Read {\n${members}\n}`)
  expect(CASES.map(([type], n) => [type, properties[`case${n}`]])).toEqual(CASES)
  expect(components).toEqual({
    Id: { type: 'string' },
    Row: {
      description: 'A row of a list.',
      type: 'object',
      properties: {
        id: { $ref: '#/components/schemas/Id' },
        side: { anyOf: [{ $ref: '#/components/schemas/Side' }, { type: 'null' }], description: 'Where `side` is.' },
        parent: { anyOf: [{ $ref: '#/components/schemas/Row' }, { type: 'null' }] },
      },
      required: ['id', 'parent'],
    },
    RowPage: {
      type: 'object',
      properties: { rows: { type: 'array', items: { $ref: '#/components/schemas/Row' } } },
      required: ['rows'],
    },
    Side: { type: 'string', enum: ['source', 'target'] },
    Step: { type: 'string', enum: ['claim', 'prepare', 'transfer'] },
  })
})

test('a type that JSON cannot represent is refused with its location', () => {
  const text = `export interface Read {
    readonly at: { readonly when: Date }
    readonly all: readonly Map<string, string>[]
    readonly n: bigint | null
    readonly go: () => void
    readonly what: any
  }`
  expect(() => read(text)).toThrow(
    [
      'at.when: JSON does not carry Date.',
      'all.[]: JSON does not carry Map<string, string>.',
      'n: JSON does not carry bigint.',
      'go: JSON does not carry () => void.',
      'what: JSON does not carry any.',
    ].join('\n'),
  )
})

test('a missing type is an error instead of an empty schema', () => {
  expect(() => schemasOf({ file: FILE, type: 'Other', text: 'export type Read = {}' })).toThrow(/exports no type Other/)
})
