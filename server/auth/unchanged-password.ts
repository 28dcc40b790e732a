import { AsyncLocalStorage } from 'node:async_hooks'
import type { prismaAdapter } from 'better-auth/adapters/prisma'
import { APIError } from 'better-auth/api'
import type { Database } from '../store/database/database'
import { CHALLENGE_PREFIX, isPasswordHash, replacePassword } from '../store/user/password'
import type { PasswordHashing } from './sign-in'

// better-auth reads a password, takes its time to verify it, and then creates a session or stores a new password. The
// password may change meanwhile, which ends all sessions but cannot end one that is about to be created. So what a
// request writes is checked against the hash that it relied on: a session or a challenge once it is committed, a new
// password by the statement that stores it.

/** The hash that the current request relies on; null: none. */
const relied = new AsyncLocalStorage<{ hash: string | null }>()

/** Runs a request whose writes are checked. */
export const withReliedPassword = <T>(request: () => Promise<T>): Promise<T> => relied.run({ hash: null }, request)

export function relyOnPassword(hash: string | null): void {
  const request = relied.getStore()
  if (request) request.hash = hash
}

export const reliedHashing = (hashing: PasswordHashing): PasswordHashing => ({
  hash: hashing.hash,
  verify: async (of) => {
    const isRight = await hashing.verify(of)
    if (isRight) relyOnPassword(of.hash)
    return isRight
  },
})

type MakeAdapter = ReturnType<typeof prismaAdapter>
type Adapter = ReturnType<MakeAdapter>
type CreateInput = Parameters<Adapter['create']>[0]
type UpdateInput = Parameters<Adapter['update']>[0]

export function withUnchangedPassword(database: Database, make: MakeAdapter): MakeAdapter {
  return (options) => {
    const adapter = make(options)
    return {
      ...adapter,
      create: (async (ask: CreateInput) => {
        const made = await adapter.create(ask)
        const user = admittedBy(ask)
        const hash = relied.getStore()?.hash ?? null
        if (user === null || hash === null || (await isPasswordHash(database, { user, hash }))) return made
        await adapter.delete({ model: ask.model, where: [{ field: 'id', value: made.id }] })
        throw passwordChanged()
      }) as Adapter['create'],
      update: async <T>(ask: UpdateInput): Promise<T | null> => {
        const change = newPasswordOf(ask)
        if (change === null) return adapter.update<T>(ask)
        if (!(await replacePassword(database, change))) throw passwordChanged()
        relyOnPassword(change.hash)
        return adapter.findOne<T>({ model: ask.model, where: ask.where })
      },
    }
  }
}

/** Of the rows that count wrong codes, beside each challenge. */
const ATTEMPTS_PREFIX = `${CHALLENGE_PREFIX}attempts-`

/** The user whom the new row admits, as a session or after a code; null for other rows. */
function admittedBy({ model, data }: CreateInput): string | null {
  const row = data as { readonly userId?: unknown; readonly identifier?: unknown; readonly value?: unknown }
  if (model === 'session') return String(row.userId)
  const identifier = model === 'verification' ? String(row.identifier) : ''
  return identifier.startsWith(CHALLENGE_PREFIX) && !identifier.startsWith(ATTEMPTS_PREFIX) ? String(row.value) : null
}

function newPasswordOf({ model, where, update }: UpdateInput) {
  const { password } = update as { readonly password?: unknown }
  const before = relied.getStore()?.hash ?? null
  if (model !== 'account' || typeof password !== 'string' || before === null) return null
  return { account: String(where.find(({ field }) => field === 'id')?.value), before, hash: password }
}

function passwordChanged(): APIError {
  const message = 'The password changed during this request. Sign in again.'
  return new APIError('UNAUTHORIZED', { code: 'PASSWORD_CHANGED', message })
}
