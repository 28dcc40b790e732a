#!/usr/bin/env node
// Stand-in for Prisma's native `schema-engine` binary for machines that cannot
// download it. It speaks the same protocol (JSON-RPC lines on stdin/stdout, plus
// the `cli can-connect-to-database|create-database` sub-commands) and delegates
// to Prisma's own WebAssembly build of the engine through @prisma/adapter-pg.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import readline from 'node:readline'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'

const argv = process.argv.slice(2)
const opt = (name) => argv.flatMap((a, i) => (a === name ? [argv[i + 1]] : []))
const require = createRequire(import.meta.url)
const glue = await import('@prisma/schema-engine-wasm/schema_engine_bg')
const wasmFile = path.join(path.dirname(require.resolve('@prisma/schema-engine-wasm')), 'schema_engine_bg.wasm')

if (argv.includes('--version') || argv.includes('-V')) {
  console.log(
    `schema-engine-wasm ${JSON.parse(fs.readFileSync(path.join(path.dirname(wasmFile), 'package.json'), 'utf8')).version}`,
  )
  process.exit(0)
}

const datasource = opt('--datasource').map((s) => JSON.parse(s))[0]
// Discrete fields, never `connectionString`: node-postgres lets a connection string win over
// `database`, which would turn the "shadow" database into the real one.
const { schema, ...target } = parseIntoClientConfig(datasource?.url ?? 'postgresql://invalid')
const config = (database = target.database) => ({ ...target, database, max: 1 })

// The adapter serves applications and rejects catalog column types such as "char" (oid 18), which
// introspection queries return. Teach it those.
const extra = { 18: ColumnTypeEnum.Character }
const patched = new WeakSet()
function patch(conn) {
  // The adapter splits scripts at every ';', which breaks function bodies; the simple protocol takes the whole text.
  conn.executeScript = async (script) => {
    try {
      await conn.client.query(script)
    } catch (e) {
      conn.onError(e)
    }
  }
  let proto = Object.getPrototypeOf(conn)
  while (!Object.hasOwn(proto, 'performIO')) proto = Object.getPrototypeOf(proto)
  if (patched.has(proto)) return conn
  patched.add(proto)
  const { performIO, queryRaw } = proto
  proto.queryRaw = async function (query) {
    let original
    const self = Object.create(this, {
      performIO: {
        value: async (q) => {
          const r = await performIO.call(this, q)
          original = r.fields.map((f) => f.dataTypeID)
          return { ...r, fields: r.fields.map((f) => (extra[f.dataTypeID] ? { name: f.name, dataTypeID: 25 } : f)) }
        },
      },
    })
    const out = await queryRaw.call(self, query)
    return { ...out, columnTypes: out.columnTypes.map((t, i) => extra[original[i]] ?? t) }
  }
  return conn
}

class Factory extends PrismaPg {
  constructor() {
    super(config(), { schema })
  }
  async connect() {
    return patch(await super.connect())
  }
  async connectToShadowDb() {
    const admin = new pg.Client(config())
    await admin.connect()
    const name = `prisma_migrate_shadow_db_${crypto.randomUUID()}`
    await admin.query(`CREATE DATABASE "${name}"`)
    const inner = patch(await new PrismaPg(config(name), { schema }).connect())
    const dispose = inner.dispose.bind(inner)
    inner.dispose = async () => {
      await dispose().catch(() => {})
      await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`).catch(() => {})
      await admin.end()
    }
    return inner
  }
}

async function sql(database, fn) {
  const c = new pg.Client(config(database))
  await c.connect()
  try {
    return await fn(c)
  } finally {
    await c.end()
  }
}
const P = {
  '3D000': 'P1003',
  '28P01': 'P1000',
  28000: 'P1000',
  ECONNREFUSED: 'P1001',
  ENOENT: 'P1001',
  ENOTFOUND: 'P1001',
  ETIMEDOUT: 'P1001',
}
const fail = (e) => {
  process.stderr.write(
    `\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields: { message: e.message || String(e.code), error_code: P[e.code] ?? 'P1011' } })}\n`,
  )
  process.exit(1)
}
const createDb = () =>
  sql('postgres', async (c) => {
    const name = config().database
    if (!(await c.query('select 1 from pg_database where datname=$1', [name])).rowCount)
      await c.query(`CREATE DATABASE ${c.escapeIdentifier(name)}`)
    return name
  })

if (argv.includes('can-connect-to-database')) {
  try {
    await sql(undefined, (c) => c.query('select 1'))
    process.exit(0)
  } catch (e) {
    fail(e)
  }
}
if (argv.includes('create-database')) {
  try {
    await createDb()
    process.exit(0)
  } catch (e) {
    fail(e)
  }
}

const { instance } = await WebAssembly.instantiate(fs.readFileSync(wasmFile), { './schema_engine_bg.js': glue })
glue.__wbg_set_wasm(instance.exports)
instance.exports.__wbindgen_start()
globalThis.PRISMA_WASM_PANIC_REGISTRY ??= {
  set_message(m) {
    this.message = m
  },
}

const datamodels = opt('--datamodels').map((f) => [f, fs.readFileSync(f, 'utf8')])
const createEngine = () => {
  const debug = process.env.SHIM_DEBUG ? (m) => process.stderr.write(`${m}\n`) : () => {}
  return glue.SchemaEngine.new(
    { datamodels: datamodels.length ? datamodels : undefined },
    debug,
    bindMigrationAwareSqlAdapterFactory(new Factory()),
  )
}
// The WASM engine keeps its shadow-database factory only after devDiagnostic, and loses it again when
// applyMigrations applied something. So: a new engine per request, primed where a request needs it.
const primed = new Set(['evaluateDataLoss', 'createMigration'])
async function call(method, params) {
  const engine = await createEngine()
  if (primed.has(method)) await engine.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters })
  return engine[method === 'getDatabaseVersion' ? 'version' : method](params)
}
const special = {
  createDatabase: async () => ({ databaseName: await createDb() }),
  ensureConnectionValidity: async () => {
    await sql(undefined, (c) => c.query('select 1'))
    return {}
  },
}
const handle = async ({ id, method, params }) => {
  let res
  try {
    const result = special[method] ? await special[method](params) : await call(method, params)
    if (method === 'diff' && result.stdout != null) {
      process.stdout.write(
        `${JSON.stringify({ jsonrpc: '2.0', id: 1e6, method: 'print', params: { content: result.stdout } })}\n`,
      )
    }
    res = { result: result ?? {} }
  } catch (e) {
    if (process.env.SHIM_DEBUG) console.error(e)
    res = {
      error: {
        code: 4466,
        message: 'An error happened. Check the data field for details.',
        data: { is_panic: false, message: e?.message ?? String(e), error_code: e?.code },
      },
    }
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...res })}\n`)
}
let queue = Promise.resolve()
readline
  .createInterface({ input: process.stdin })
  .on('line', (line) => {
    const msg = JSON.parse(line)
    if (msg.method) queue = queue.then(() => handle(msg))
  })
  .on('close', () => queue.then(() => process.exit(0)))
