import { randomBytes, randomUUID } from 'node:crypto'
import { isRole, ROLES } from '../api/permit/roles'
import { grantText, parseGrant } from '../auth/grant'
import { migrate } from '../boot/migrate'
import { connectDatabase, type Database } from '../store/database/database'
import { createToken, listTokens, revokeToken } from '../store/placement/token'
import { readDatabaseTime } from '../store/time/database-clock'
import { commandAttribution } from './command-attribution'

// npm run token -- add NAME --role ROLE [--project PROJECT] [--days N] | revoke NAME | list. Programs send the token to
// the Placement API as X-Auth-Token. It is printed once; the database stores only its hash.

const USAGE = `usage: npm run token -- add NAME --role ${ROLES.join('|')} [--grant ROLE@SCOPE ...] [--project PROJECT] [--days N]
       npm run token -- revoke NAME
       npm run token -- list`
const DAY_MS = 86_400_000
const TOKEN_BYTES = 32

async function main([verb, ...rest]: readonly string[]): Promise<number> {
  const url = process.env.DATABASE_URL
  if (!url) throw new Error('DATABASE_URL is not set; run this through `npm run token`')
  await migrate(url)
  const database = connectDatabase({ url })
  try {
    if (verb === 'add') return await add(database, rest)
    if (verb === 'revoke' && rest[0]) return await revoke(database, rest[0])
    if (verb === 'list') return await list(database)
    return refused('Name a command: add, revoke or list')
  } finally {
    await database.close()
  }
}

async function add(database: Database, [name, ...options]: readonly string[]): Promise<number> {
  const role = optionOf(options, '--role')
  const days = optionOf(options, '--days')
  const grants = options.flatMap((option, at) => (option === '--grant' ? [parseGrant(options[at + 1] ?? '')] : []))
  if (!name || name.startsWith('--')) return refused('Name the token')
  if (!role || !isRole(role)) return refused(`--role must be one of ${ROLES.join(', ')}`)
  if (grants.includes(null)) return refused('--grant must be ROLE@zone:NAME, ROLE@host:NAME or ROLE@cloud:NAME')
  if (days !== null && !(Number(days) > 0)) return refused('--days must be a number above 0')
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const expiresAt = days === null ? null : new Date((await readDatabaseTime(database)) + Number(days) * DAY_MS)
  const project = optionOf(options, '--project') ?? ''
  const isKept = await createToken(database, {
    ...{ id: randomUUID(), name, role, project, token, expiresAt },
    grants: grants.flatMap((grant) => (grant === null ? [] : [grantText(grant)])),
    ...(await commandAttribution(database)),
  })
  if (!isKept) return refused(`A token ${name} exists already, and names are unique`)
  console.log(token)
  return 0
}

async function revoke(database: Database, name: string): Promise<number> {
  if (!(await revokeToken(database, { name, ...(await commandAttribution(database)) })))
    return refused(`There is no valid token ${name}`)
  console.log(`${name} is revoked. Servers that have cached it accept it for up to five more seconds.`)
  return 0
}

async function list(database: Database): Promise<number> {
  for (const { name, role, grants, project, expiresAt, state } of await listTokens(database)) {
    const until = expiresAt === null ? 'valid' : `until ${new Date(expiresAt).toISOString()}`
    console.log([name, role, ...grants, project, state === 'in-force' ? until : state].filter(Boolean).join('  '))
  }
  return 0
}

function optionOf(options: readonly string[], name: string): string | null {
  const at = options.indexOf(name)
  return at < 0 ? null : (options[at + 1] ?? null)
}

function refused(why: string): number {
  console.error(`${why}. Nothing was changed.\n${USAGE}`)
  return 2
}

// Idle connections would keep the process alive for seconds.
process.exit(await main(process.argv.slice(2)))
