import type pg from 'pg'
import { JOURNEYS_PORT } from '../address'
import { runBehind } from '../behind'

/** Runs one statement on the tables of the journeys' fleet. */
export const behindItsBack = <Row extends pg.QueryResultRow>(statement: string, values: readonly unknown[] = []) =>
  runBehind<Row>(JOURNEYS_PORT, statement, values)
