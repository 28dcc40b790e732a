import type pg from 'pg'
import { JOURNEYS_PORT } from '../address'
import { runSql } from '../direct-sql'

/** Runs one statement on the database of the journeys' server. */
export const runJourneysSql = <Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[] = []) =>
  runSql<Row>(JOURNEYS_PORT, statement, values)
