import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from '../database/database'

// `are_generations` of prisma/functions/column.sql: followers read providers by the keys of `raised`.

const database = onFreshDatabase(({ url }) => connectDatabase({ url }))

const areGenerations = async (values: readonly unknown[]): Promise<readonly boolean[]> => {
  const { rows } = await database.pool.query<{ answer: boolean }>(
    'select are_generations(v::jsonb) as answer from unnest($1::text[]) with ordinality u (v, n) order by n',
    [values.map((value) => JSON.stringify(value))],
  )
  return rows.map(({ answer }) => answer)
}

const provider = fc.uuid()
const generation = fc.oneof(fc.nat(), fc.maxSafeNat())
const valid = fc.dictionary(provider, generation, { maxKeys: 40 })

const key = fc.oneof(
  ...[fc.string({ maxLength: 40 }), provider.map((id) => id.toUpperCase()), provider.map((id) => id.slice(1))],
  ...[provider.map((id) => `${id}0`), fc.tuple(provider, provider).map((ids) => ids.join('": 0, "'))],
  provider.map((id) => id.replaceAll('-', '')),
)
const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
const notGeneration = fc.oneof(
  ...[fc.integer({ max: -1 }), fc.constantFrom(null, true, false, 0.5, -0.5, '', '0', 'a', '0, ', '{}', [], {}, [0])],
  fc.string(),
)
const extended = (other: Readonly<Record<string, unknown>>) => valid.map((some) => ({ ...some, ...other }))

test('an object of generations by id of a provider passes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(valid, { maxLength: 50, size: 'max' }), async (values) => {
      expect(await areGenerations(values)).toEqual(values.map(() => true))
    }),
    { numRuns: 20 },
  )
})

test('one other key or value, or anything but an object, does not pass', async () => {
  const invalid = fc.oneof(
    fc
      .tuple(
        key.filter((text) => !isId(text)),
        generation,
      )
      .chain(([name, value]) => extended({ [name]: value })),
    fc.tuple(provider, notGeneration).chain(([id, value]) => extended({ [id]: value })),
    notGeneration.filter((value) => JSON.stringify(value) !== '{}'),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(invalid, { maxLength: 100, size: 'max' }), async (values) => {
      const storable = values.filter((value) => !JSON.stringify(value).includes('\\u0000'))
      expect(await areGenerations(storable)).toEqual(storable.map(() => false))
    }),
    { numRuns: 20 },
  )
})
