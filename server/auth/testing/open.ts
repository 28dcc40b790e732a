import { createHash } from 'node:crypto'
import type { Database } from '../../store/database/database'
import { TEST_ATTRIBUTION } from '../../store/testing/attribution'
import { createUser, type UserRow } from '../../store/user/user'
import { type Auth, type AuthOptions, openAuth } from '../auth'
import type { PasswordHashing } from '../sign-in'

export const PASSWORD = 'a password for tests'

/** scrypt takes a quarter of a second of CPU each time, on purpose. Scenarios about passwords use it. */
export const QUICK_HASHING: PasswordHashing = {
  hash: async (password) => createHash('sha256').update(password).digest('hex'),
  verify: async ({ hash, password }) => hash === (await QUICK_HASHING.hash(password)),
}

export const openTestAuth = (database: Database, set: Partial<AuthOptions>): Promise<Auth> =>
  openAuth({ database, secret: null, publicUrl: null, adminPassword: PASSWORD, print: () => {}, ...set })

/** Signs in with `PASSWORD`. */
export async function makeUser(database: Database, auth: Auth, named: Pick<UserRow, 'username' | 'role'>) {
  const { username } = named
  const passwordHash = await auth.hashPassword(PASSWORD)
  const user = { name: username, email: `${username}@berth.test`, passwordHash, ...named }
  const made = await createUser(database, { ...user, attribution: TEST_ATTRIBUTION })
  if (!made) throw new Error(`${username} was not made`)
  return made
}
