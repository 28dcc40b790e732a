import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { connectDatabase } from './database'
import { callForJson, type JsonCallConfig } from './json-call'
import { inTransaction } from './transaction'

const database = onFreshDatabase((options) => connectDatabase({ ...options, connections: 1 }))

const pidNow = async () => (await database.pool.query<{ pid: number }>('select pg_backend_pid() pid')).rows[0]?.pid

const call = (name: string, text: string, ...values: (string | null)[]): JsonCallConfig => ({ name, text, values })
const json = fc.jsonValue().map((value) => JSON.stringify(value))

const calls: fc.Arbitrary<JsonCallConfig> = fc.oneof(
  fc.oneof(json, fc.constant(null)).map((value) => call('same', 'select $1::json as answer', value)),
  fc
    .tuple(json, json)
    .map((values) => call('pair', 'select json_build_array($1::json, $2::json) as answer', ...values)),
  fc.constantFrom(
    call('null', "select null::jsonb as answer where $1 = 'a'", 'a'),
    call('none', "select '1'::jsonb as answer where $1 = 'a'", 'b'),
    call('same', 'select $1::json as answer', '{not json'),
    call('fails', 'select to_jsonb(1 / $1::int) as answer', '0'),
    call('fails', 'select to_jsonb(1 / $1::int) as answer', '1'),
    call('unknown', 'select no_such_function($1) as answer', 'a'),
  ),
)

/** As node-postgres answers the same prepared statement; its names are apart. */
async function expectedOf({ name, text, values }: JsonCallConfig) {
  const { rows } = await database.pool.query<{ answer: unknown }>({ name: `model-${name}`, text, values: [...values] })
  return rows[0]?.answer ?? null
}

const settled = async (work: Promise<unknown>) =>
  work.then(
    (answer) => ({ answer }),
    ({ code }: { code?: string }) => ({ code }),
  )

describe('a call for JSON', () => {
  test('answers and fails as a query does, and leaves its connection usable', async () => {
    const pid = await pidNow()
    await fc.assert(
      fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 12 }), async (all) => {
        for (const each of all) {
          const expected = await settled(expectedOf(each))
          expect(await settled(callForJson(database.pool, each)), JSON.stringify(each)).toEqual(expected)
        }
      }),
      { numRuns: 50 },
    )
    expect(await pidNow()).toBe(pid)
  })

  test('fails when its transaction fails to commit', async () => {
    await database.pool.query('create table other (id int unique deferrable initially deferred)')
    await database.pool.query(`create function add_two() returns jsonb language sql
      begin atomic insert into other values (1), (1); select '1'::jsonb; end`)
    const failure = await settled(callForJson(database.pool, call('add', 'select add_two() as answer')))
    expect(failure).toMatchObject({ code: '23505' })
    expect(await callForJson(database.pool, call('same', 'select $1::json as answer', '7'))).toBe(7)
  })

  test('is part of a transaction', async () => {
    const failure = inTransaction(database, async (client) => {
      expect(await callForJson(client, call('same', 'select $1::json as answer', '[7]'))).toEqual([7])
      await callForJson(client, call('fails', 'select to_jsonb(1 / $1::int) as answer', '0'))
    })
    await expect(failure).rejects.toMatchObject({ code: '22012' })
  })

  test('on a lost connection fails, and the next one has another', async () => {
    const lost = call('lost', 'select to_jsonb(pg_terminate_backend(pg_backend_pid())) as answer')
    await expect(callForJson(database.pool, lost)).rejects.toMatchObject({ code: '57P01' })
    expect(await callForJson(database.pool, call('same', 'select $1::json as answer', '7'))).toBe(7)
  })

  test('ends when the database does not answer in time', async () => {
    const hasty = connectDatabase({
      url: database.url,
      limits: { connectMs: 10_000, statementMs: 60_000, answerMs: 100 },
    })
    const slow = call('slow', "select to_jsonb(pg_sleep(1)::text) as answer where $1 = 'a'", 'a')
    await expect(callForJson(hasty.pool, slow)).rejects.toThrow('Query read timeout')
    await hasty.close()
  })
})
