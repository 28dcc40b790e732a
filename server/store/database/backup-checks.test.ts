import { expect, test } from 'vitest'
import { openClient } from '../../boot/on-fresh-database'
import { freshDatabase } from '../../boot/test-database'
import { readTableDigests } from './backup-checks'
import { connectDatabase } from './database'

// The digests of a backup are compared in another database, maybe of another server.

/** Settings that change how PostgreSQL writes values as text. */
const OTHER_SETTINGS = [
  `timezone to 'Asia/Tokyo'`,
  `datestyle to 'German'`,
  `extra_float_digits to 0`,
  `bytea_output to 'escape'`,
  `intervalstyle to 'sql_standard'`,
]

test('the digest of a table is the same on a database with other settings, and waits for a large table', async () => {
  const fresh = await freshDatabase()
  const { client, close } = await openClient(fresh)
  const digests = async () => {
    const database = connectDatabase({
      ...{ url: fresh.url, limits: { connectMs: 10_000, statementMs: 20, answerMs: 60_000 } },
    })
    return readTableDigests(database).finally(() => database.close())
  }
  try {
    await client.query(`create table sample as select now() + n * interval '1 minute' as at, 0.1::float8 + n as f,
      '\\x00ff'::bytea as b, n * interval '1 day 1 second' as i from generate_series(1, 100000) n`)
    const before = await digests()
    expect(before.sample).toMatch(/^100000 /)
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    for (const setting of OTHER_SETTINGS) await client.query(`alter database "${rows[0]?.name}" set ${setting}`)
    expect(await digests()).toEqual(before)
  } finally {
    await close()
    await fresh.drop()
  }
})
