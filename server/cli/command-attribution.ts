import { userInfo } from 'node:os'
import type { Attribution } from '../engine/change'
import type { Database } from '../store/database/database'
import { readDatabaseTime } from '../store/time/database-clock'

/** The command line asks for no user name, so the audit log has the account on this machine. */
export async function commandAttribution(database: Database, reason: string | null = null): Promise<Attribution> {
  const who = `command line (${userInfo().username})`
  return { actor: { who, request: null, reason }, at: await readDatabaseTime(database) }
}
