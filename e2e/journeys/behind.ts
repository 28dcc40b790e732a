import fs from 'node:fs'
import pg from 'pg'
import { JOURNEYS_PORT, postgresAt } from '../address'

// What nobody should do and somebody always does: rows written behind Berth's back, by no door and with no event.

/** Runs one statement on the tables of the journeys' fleet. */
export async function behindItsBack<Row extends pg.QueryResultRow>(
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: fs.readFileSync(`${postgresAt(JOURNEYS_PORT)}.url`, 'utf8') })
  await client.connect()
  try {
    return (await client.query<Row>(statement, [...values])).rows
  } finally {
    await client.end()
  }
}
