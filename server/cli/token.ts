import { randomBytes, randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { isRole, ROLES } from '../api/permit/roles'
import { tokenAccount, tokenDays, tokenName, tokenProject } from '../api/token/limits'
import { grantText, parseGrant } from '../auth/grant'
import { migrate } from '../boot/migrate'
import { connectDatabase, type Database } from '../store/database/database'
import { createToken, listTokens, revokeToken } from '../store/placement/token'
import { readDatabaseTime } from '../store/time/database-clock'
import { findByUsername } from '../store/user/user'
import { commandAttribution } from './command-attribution'
import { messageOf, onDatabase, printedHelp, wrongCall } from './usage'

// npm run token -- add NAME --role ROLE [--project PROJECT] [--account USERNAME] [--days N] | revoke NAME | list.
// Programs send the token to the Placement API as X-Auth-Token. It is printed once; the database stores only its hash.

const USAGE = `usage: npm run token -- add NAME --role ${ROLES.join('|')} [--grant ROLE@SCOPE ...] [--project PROJECT]
         [--account USERNAME] [--days N]
       npm run token -- revoke NAME
       npm run token -- list`
const DAY_MS = 86_400_000
const TOKEN_BYTES = 32

const OPTIONS = {
  role: { type: 'string' },
  grant: { type: 'string', multiple: true },
  project: { type: 'string', default: '' },
  account: { type: 'string' },
  days: { type: 'string' },
} as const

class WrongCall extends Error {}

async function main(args: readonly string[]): Promise<number> {
  if (printedHelp(args, USAGE)) return 0
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('DATABASE_URL is not set; run this through `npm run token`')
  const { verb, name, values } = parsed(args)
  await migrate(url)
  const database = connectDatabase({ url })
  try {
    if (verb === 'add') return await add(database, name, values)
    if (verb === 'revoke' && name) return await revoke(database, name)
    if (verb === 'list') return await list(database)
    throw new WrongCall('Name a command: add, revoke or list')
  } finally {
    await database.close()
  }
}

/** Strict: an option that is not understood must not leave a token without its limits. */
function parsed(args: readonly string[]) {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true })
    const [verb, name, ...more] = positionals
    if (more.length > 0) throw new Error(`Unexpected argument '${more[0]}'`)
    return { verb, name, values }
  } catch (error) {
    throw new WrongCall(messageOf(error))
  }
}

type Values = ReturnType<typeof parsed>['values']

async function add(database: Database, name: string | undefined, values: Values): Promise<number> {
  const { role, grant = [], project } = values
  const days = values.days === undefined ? null : Number(values.days)
  const grants = grant.map(parseGrant)
  if (!role || !isRole(role)) throw new WrongCall(`--role must be one of ${ROLES.join(', ')}`)
  if (grants.includes(null)) throw new WrongCall('--grant must be ROLE@zone:NAME, ROLE@host:NAME or ROLE@cloud:NAME')
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expiresAt =
    days === null ? null : new Date((await readDatabaseTime(database)) + checked('--days', tokenDays, days) * DAY_MS)
  const made = { name: checked('NAME', tokenName, name), project: checked('--project', tokenProject, project) }
  const account = await accountOf(database, values.account)
  const isKept = await createToken(database, {
    ...{ id: randomUUID(), ...made, role, token, account, expiresAt },
    grants: grants.flatMap((each) => (each === null ? [] : [grantText(each)])),
    ...(await commandAttribution(database)),
  })
  if (!isKept) throw new WrongCall(`A token ${made.name} exists already, and names are unique`)
  console.log(token)
  return 0
}

/** Null: the token acts for nobody, and only an admin approves what it requests. */
async function accountOf(database: Database, username: string | undefined): Promise<string | null> {
  if (username === undefined) return null
  const user = await findByUsername(database, checked('--account', tokenAccount, username))
  if (user === null) throw new WrongCall(`There is no user ${username}`)
  return user.id
}

function checked<T>(what: string, schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw new WrongCall(`${what}: ${read.error.issues[0]?.message}`)
}

async function revoke(database: Database, name: string): Promise<number> {
  if (!(await revokeToken(database, { name, ...(await commandAttribution(database)) })))
    throw new WrongCall(`There is no valid token ${name}`)
  console.log(`${name} is revoked. Servers that have cached it accept it for up to five more seconds.`)
  return 0
}

async function list(database: Database): Promise<number> {
  for (const { name, role, grants, project, account, expiresAt, state } of await listTokens(database)) {
    const until = expiresAt === null ? 'valid' : `until ${new Date(expiresAt).toISOString()}`
    const owner = account === null ? '' : `for ${account}`
    const shown = [name, role, ...grants, project, owner, state === 'in-force' ? until : state]
    console.log(shown.filter(Boolean).join('  '))
  }
  return 0
}

// Idle connections would keep the process alive for seconds.
process.exit(
  await onDatabase(main(process.argv.slice(2))).catch((error: unknown) => {
    if (!(error instanceof WrongCall)) throw error
    return wrongCall(error.message, USAGE)
  }),
)
