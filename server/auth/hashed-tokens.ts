import { createHash } from 'node:crypto'
import type { prismaAdapter } from 'better-auth/adapters/prisma'

// The database has session tokens only as hashes, so that a copy of it lets nobody in. better-auth compares and returns
// tokens as they are in the cookie; this wraps its adapter and converts between the two.

type MakeAdapter = ReturnType<typeof prismaAdapter>
type Adapter = ReturnType<MakeAdapter>
type Transaction = Parameters<Parameters<Adapter['transaction']>[0]>[0]
type WhereClause = NonNullable<Parameters<Adapter['findMany']>[0]['where']>

export const hashOfToken = (token: string) => `sha256:${createHash('sha256').update(token).digest('hex')}`

export function withHashedTokens(make: MakeAdapter): MakeAdapter {
  return (options) => {
    const adapter = make(options)
    const hashed = hashing(adapter)
    return { ...adapter, ...hashed, transaction: (work) => adapter.transaction((inner) => work(inTransaction(inner))) }
  }
}

const inTransaction = (inner: Transaction): Transaction => ({ ...inner, ...hashing(inner) })

type HashingAdapter = Pick<
  Transaction,
  'create' | 'findOne' | 'findMany' | 'count' | 'update' | 'updateMany' | 'delete' | 'deleteMany' | 'consumeOne'
>

/** Replaces tokens with their hashes in queries, and the hashes with the given tokens in answers. */
function hashing(adapter: Transaction): HashingAdapter {
  return {
    create: async (ask) => {
      const known = new Map<string, string>()
      return restored(await adapter.create({ ...ask, data: hashedData(ask.model, ask.data, known) }), known)
    },
    findOne: <T>(ask: Parameters<Transaction['findOne']>[0]) => answered(ask, adapter.findOne<T>),
    findMany: <T>(ask: Parameters<Transaction['findMany']>[0]) => answered(ask, adapter.findMany<T>),
    count: (ask) => answered(ask, adapter.count),
    update: <T>(ask: Parameters<Transaction['update']>[0]) => answered(ask, adapter.update<T>),
    updateMany: (ask) => answered(ask, adapter.updateMany),
    delete: (ask) => answered(ask, adapter.delete),
    deleteMany: (ask) => answered(ask, adapter.deleteMany),
    consumeOne: <T>(ask: Parameters<Transaction['consumeOne']>[0]) => answered(ask, adapter.consumeOne<T>),
  }
}

interface QueryInput {
  readonly model: string
  readonly where?: WhereClause | undefined
}

async function answered<A extends QueryInput, R>(ask: A, run: (ask: A) => Promise<R>): Promise<R> {
  if (ask.model !== 'session' || !ask.where) return run(ask)
  const known = new Map<string, string>()
  const where = ask.where.map((each) =>
    each.field === 'token' ? { ...each, value: hashedValue(each.value, known) } : each,
  )
  return restored(await run({ ...ask, where }), known)
}

type Value = WhereClause[number]['value']

function hashedValue(value: Value, known: Map<string, string>): Value {
  if (Array.isArray(value)) return (value as string[]).map((each) => hashedText(each, known))
  return typeof value === 'string' ? hashedText(value, known) : value
}

function hashedText(token: string, known: Map<string, string>): string {
  const hash = hashOfToken(token)
  known.set(hash, token)
  return hash
}

function hashedData<T extends object>(model: string, data: T, known: Map<string, string>): T {
  if (model !== 'session' || !('token' in data) || typeof data.token !== 'string') return data
  return { ...data, token: hashedText(data.token, known) }
}

function restored<T>(answer: T, known: ReadonlyMap<string, string>): T {
  if (Array.isArray(answer)) return answer.map((each: unknown) => restored(each, known)) as T
  if (typeof answer !== 'object' || answer === null || !('token' in answer)) return answer
  const token = known.get(String(answer.token))
  return token === undefined ? answer : { ...answer, token }
}
