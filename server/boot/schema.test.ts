import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freshDatabase } from './test-database'

// The migrations create the database, the Prisma schema describes it: both must be the same model.

const ROOT = path.join(import.meta.dirname, '../..')
const PRISMA = path.join(ROOT, 'node_modules/prisma/build/index.js')

test('the schema describes the database that the migrations create', async () => {
  const fresh = await freshDatabase()
  try {
    const asked = ['migrate', 'diff', '--from-config-datasource', '--to-schema', 'prisma/schema', '--script']
    const env = { ...process.env, DATABASE_URL: fresh.url }
    const { stdout } = await promisify(execFile)(process.execPath, [PRISMA, ...asked], { cwd: ROOT, env })
    const statements = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('--'))
    expect(statements).toEqual([])
  } finally {
    await fresh.drop()
  }
}, 60_000)
