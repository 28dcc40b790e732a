import { randomInt } from 'node:crypto'
import { hashPassword } from 'better-auth/crypto'
import type { Database } from '../store/database/database'
import { countUsers, createUser } from '../store/user/user'

const NAME = 'admin'
// No letters that look like others: this one is typed from a terminal.
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 20 // 99 bits

export interface FirstAdminOptions {
  /** From BERTH_ADMIN_PASSWORD; null makes a random one. */
  readonly password: string | null
  /** Shows the password to whoever started Berth. Called once in the life of a database and kept nowhere. */
  readonly tell: (message: string) => void
}

/** Makes `admin` when there is nobody at all. Of several copies that start at once, one makes it and tells. */
export async function ensureFirstAdmin(database: Database, options: FirstAdminOptions): Promise<void> {
  if ((await countUsers(database)) > 0) return
  const password = options.password ?? randomPassword()
  const passwordHash = await hashPassword(password)
  const made = await createUser(database, {
    username: NAME,
    name: 'Administrator',
    email: 'admin@localhost.invalid',
    role: 'admin',
    passwordHash,
  })
  if (!made) return
  if (options.password !== null) options.tell(`Sign in as ${NAME} with the password from BERTH_ADMIN_PASSWORD.`)
  else options.tell(`Sign in as ${NAME} with the password ${password} (it is shown only now; change it).`)
}

function randomPassword(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS.charAt(randomInt(LETTERS.length)))
  return letters.join('').replace(/(.{5})(?=.)/g, '$1-')
}
