import type pg from 'pg'
import { JOURNEYS_PORT } from '../address'
import { runBehind } from '../behind'

/** Runs one statement on the database of the journeys' server. */
export const behindItsBack = <Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[] = []) =>
  runBehind<Row>(JOURNEYS_PORT, statement, values)
