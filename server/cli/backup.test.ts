import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../boot/test-database'
import { connectDatabase } from '../store/database/database'

// What the commands hand to PostgreSQL's tools, which write here what they got. server/scenarios/backup.db.test.ts runs
// the real ones.

const PASSWORD = 'p4ss/word&more'

let fresh: FreshDatabase
let folder: string
beforeAll(async () => {
  fresh = await freshDatabase()
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'backup-'))
  for (const tool of ['pg_dump', 'pg_restore']) fs.writeFileSync(path.join(folder, tool), TOOL, { mode: 0o755 })
  fs.writeFileSync(path.join(folder, 'told-syncs.mjs'), SYNC_LOG)
})
afterAll(async () => {
  await fresh.drop()
  fs.rmSync(folder, { recursive: true })
})

const TOOL = [
  '#!/bin/sh',
  'if [ "$1" = --version ]; then echo "tool (PostgreSQL) 99.1"; exit 0; fi',
  'for each in "$@"; do',
  '  file=$(expr "$each" : "--file=\\(.*\\)")',
  '  if [ -n "$file" ]; then stat -c "mode %a" "$file" >> "$TOLD"; echo dump > "$file"; fi',
  'done',
  'echo "args $*" >> "$TOLD"',
  'echo "password $PGPASSWORD" >> "$TOLD"',
  'case "$*" in *full-disk*) exit 1;; esac',
].join('\n')

/** Loaded before the command: also tells what is written to the disk, and what is renamed. */
const SYNC_LOG = `
import fs from 'node:fs'
const { openSync, fsyncSync, renameSync, appendFileSync } = fs
const names = new Map()
const tell = (line) => appendFileSync(process.env.TOLD, line + '\\n')
fs.openSync = (name, ...more) => {
  const opened = openSync(name, ...more)
  names.set(opened, name)
  return opened
}
fs.fsyncSync = (opened) => {
  tell('synced ' + names.get(opened))
  fsyncSync(opened)
}
fs.renameSync = (from, to) => {
  tell('renamed ' + from)
  renameSync(from, to)
}
`

function backup(url: string, ...words: readonly string[]) {
  const told = path.join(folder, 'told')
  fs.writeFileSync(told, '')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      'tsx',
      '--import',
      path.join(folder, 'told-syncs.mjs'),
      path.join(import.meta.dirname, 'backup.ts'),
      ...words,
    ],
    { env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, DATABASE_URL: url, TOLD: told }, encoding: 'utf8' },
  )
  return { status, output: `${stdout}${stderr}`, told: fs.readFileSync(told, 'utf8') }
}

test.each([
  ['before the host', (url: URL) => Object.assign(url, { password: encodeURIComponent(PASSWORD) })],
  ['as a parameter', (url: URL) => url.searchParams.set('password', PASSWORD)],
])('a password %s is no argument, and nobody else can read the file from its first byte on', (title, add) => {
  const url = new URL(fresh.url)
  add(url)
  const file = path.join(folder, title.replaceAll(' ', '-'))
  const { status, told, output } = backup(url.href, 'backup', file)
  expect({ status, output }).toMatchObject({ status: 0 })
  expect(told).toContain('mode 600')
  expect(told).toContain(`password ${PASSWORD}`)
  expect(told.replace(/^password .*$/m, '')).not.toMatch(/p4ss/)
  expect(told).toContain(url.pathname)
})

test('a backup that is reported as written is on the disk, with its list of rows and both names', () => {
  const file = path.join(folder, 'synced')
  const { status, told, output } = backup(fresh.url, 'backup', file)
  expect({ status, output }).toMatchObject({ status: 0 })
  expect(told.split('\n').filter((line) => /^(synced|renamed) /.test(line))).toEqual([
    ...[`synced ${file}.rows`, `synced ${file}.part`, `renamed ${file}.part`, `synced ${folder}`],
  ])
})

test('a backup that fails leaves no part of it on a disk that may be full', () => {
  const file = path.join(folder, 'full-disk')
  expect(backup(fresh.url, 'backup', file)).toMatchObject({ status: 2 })
  expect(fs.readdirSync(folder).filter((name) => name.startsWith('full-disk'))).toEqual([])
})

test('a damaged list of rows is noticed before anything is restored', async () => {
  const database = connectDatabase({ url: fresh.url })
  await database.pool.query('drop schema public cascade; create schema public')
  await database.close()
  const file = path.join(folder, 'damaged')
  fs.writeFileSync(file, 'dump')
  fs.writeFileSync(`${file}.rows`, '{"host": ')
  const { status, output, told } = backup(fresh.url, 'restore', file)
  expect({ status, told }).toEqual({ status: 2, told: '' })
  expect(output).toContain('damaged')
})

test('a restore without the list of rows says that nothing was compared', () => {
  const file = path.join(folder, 'alone')
  fs.writeFileSync(file, 'dump')
  const { status, output } = backup(fresh.url, 'restore', file)
  expect({ status, output }).toMatchObject({ status: 0 })
  expect(output).toContain('alone.rows does not exist: the rows were not compared')
})
