import type { Database } from './database'
import { readSetting } from './policy'

/** What even an operator may not do alone. */
export const SECOND_PERSON_DEEDS = ['gone', 'fenced', 'heal'] as const
export type SecondPersonDeed = (typeof SECOND_PERSON_DEEDS)[number]

/** The setting `second-person`, a list of deeds; whatever else stands there is not heeded. */
export async function readSecondPerson(database: Database): Promise<ReadonlySet<SecondPersonDeed>> {
  const value = await readSetting(database, 'second-person')
  const named: readonly unknown[] = Array.isArray(value) ? value : []
  return new Set(SECOND_PERSON_DEEDS.filter((deed) => named.includes(deed)))
}
