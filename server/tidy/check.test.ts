import { describe, expect, test } from 'vitest'
import { checkSource } from './check'
import { readSource } from './source'

/** The rules that an invented file breaks; empty if it complies with all of them. */
const broken = (path: string, text: string) =>
  checkSource(readSource(path, text))
    .filter((breach) => !breach.soft)
    .map((breach) => breach.rule)

const lines = (count: number, line = '// a line') => `${line}\n`.repeat(count)

describe('imports', () => {
  test.each([
    ['server/engine/claim.ts', `import { a } from './topology/numa'`, []],
    ['server/engine/claim.ts', `import { a } from '../store/claims'`, ['rooms']],
    ['server/engine/claim.ts', `import type { A } from '@/server/store/claims'`, ['rooms']],
    ['server/engine/claim.ts', `import fs from 'node:fs'`, ['packages']],
    ['server/engine/claim.test.ts', `import fs from 'node:fs'`, []],
    ['server/store/hosts.ts', `import { Pool } from 'pg'`, []],
    ['server/store/hosts.ts', `import { a } from '../api/router'`, ['rooms']],
    ['server/store/hosts.test.ts', `import { freshDatabase } from '../boot/test-database'`, []],
    ['server/api/hosts.ts', `import { Pool } from 'pg'`, ['packages']],
    ['server/api/hosts.test.ts', `import { Pool } from 'pg'`, []],
    ['server/api/hosts.ts', `import { XMLParser } from 'fast-xml-parser'`, ['packages']],
    ['server/fleet/fleet.ts', `import { PrismaClient } from '@/generated/prisma/client'`, ['packages']],
    ['server/drivers/driver.ts', `import { hostId } from '../engine/words/ids'`, []],
    ['server/drivers/driver.ts', `import type { Claim } from '../engine/claim'`, []],
    ['server/drivers/driver.ts', `import { type Claim, claim } from '../engine/claim'`, ['rooms']],
    ['server/conductor/step.ts', `import { a } from '../drivers/libvirt/rpc'`, ['drivers']],
    ['server/drivers/registry.ts', `import { a } from './libvirt/driver'`, []],
    ['server/drivers/openstack/driver.ts', `import { a } from '../libvirt/driver'`, ['drivers']],
    ['server/api/hosts.ts', `export { a } from '../conductor/step'`, ['rooms']],
    ['server/api/hosts.ts', `const a = await import('../conductor/step')`, ['rooms']],
    ['server/api/hosts.ts', `type A = import('../conductor/step').A`, ['rooms']],
    ['server/simulation/run.ts', `import { a } from '../conductor/step'`, []],
    ['components/ui/Table.tsx', `import { a } from '../host/HostTable'`, ['rooms']],
    ['components/host/HostTable.tsx', `import type { HostRow } from '@/server/api/hosts'`, []],
    ['components/host/HostTable.tsx', `'use client'\nimport { a } from '@/server/api/hosts'`, ['rooms', 'client']],
    ['app/page.tsx', `import { running } from '@/server/wiring'`, []],
    ['app/page.tsx', `'use client'\nimport { running } from '@/server/wiring'`, ['client']],
    ['app/page.tsx', `import { a } from '@/server/store/hosts'`, ['rooms']],
    ['server/new/thing.ts', ``, ['rooms']],
  ])('%s: %s', (path, text, rules) => {
    expect(broken(path, text)).toEqual(rules)
  })
})

describe('the engine is pure', () => {
  test.each([
    ['const now = Date.now()', ['purity']],
    ['const now = new Date()', ['purity']],
    ['const then = new Date(0)', []],
    ['const chance = Math.random()', ['purity']],
    ['const most = Math.max(1, 2)', []],
    ['const name = process.env.NAME', ['purity']],
    [`console.log('a')`, ['purity']],
    ['export async function claim() {}', ['purity']],
    ['const step = { process: 1 }.process', []],
  ])('%s', (text, rules) => {
    expect(broken('server/engine/claim.ts', text)).toEqual(rules)
  })

  test('other rooms may await', () => {
    expect(broken('server/conductor/step.ts', 'export async function step() {}')).toEqual([])
  })
})

describe('the clock of the machine', () => {
  test.each([
    ['server/conductor/step.ts', 'const now = Date.now()', ['clock']],
    ['server/store/step.ts', 'const now = new Date()', ['clock']],
    ['server/store/step.ts', 'const now = () => Date.now', ['clock']],
    ['app/(console)/layout.tsx', 'const now = Date.now()', ['clock']],
    ['server/conductor/step.ts', 'const began = performance.now()', []],
    ['server/conductor/step.ts', 'const then = new Date(0)', []],
    ['server/conductor/step.test.ts', 'const now = Date.now()', []],
    ['server/store/time/database-clock.ts', 'const now = Date.now()', []],
  ])('%s: %s', (file, text, rules) => {
    expect(broken(file, text)).toEqual(rules)
  })
})

describe('size', () => {
  const functionOf = (count: number) => `function long() {\n${lines(count - 2)}}\n`

  test.each([
    ['server/store/hosts.ts', lines(400), []],
    ['server/store/hosts.ts', lines(401), ['size']],
    ['app/hosts/page.tsx', lines(61), ['size']],
    ['components/host/HostTable.tsx', lines(151), ['size']],
    ['server/store/hosts.ts', functionOf(70), []],
    ['server/store/hosts.ts', functionOf(71), ['functions']],
    ['components/host/HostTable.tsx', `function Table() {\n${lines(98)}return <p />}\n`, []],
    ['server/store/hosts.test.ts', `describe('a', () => {\n${lines(98)}})\n`, []],
    ['server/store/hosts.test.ts', `test('a', () => {\n${lines(98)}})\n`, ['functions']],
    ['server/store/hosts.ts', 'const sum = (a: 1, b: 2, c: 3) => a', []],
    ['server/store/hosts.ts', 'const sum = (a: 1, b: 2, c: 3, d: 4) => a', ['functions']],
    ['server/store/hosts.ts', 'type Sum = (a: 1, b: 2, c: 3, d: 4) => 1', ['functions']],
    ['server/store/hosts.ts', 'library({ borrowed: (a: 1, b: 2, c: 3, d: 4) => a })', []],
  ])('%s (%#)', (path, text, rules) => {
    expect(broken(path, text)).toEqual(rules)
  })

  test('a soft limit is reported and does not fail', () => {
    const [breach] = checkSource(readSource('server/store/hosts.ts', lines(251)))
    expect(breach).toMatchObject({ rule: 'size', soft: true })
  })
})

describe('names', () => {
  test.each([
    ['server/store/index.ts', '', ['names']],
    ['server/store/utils/rows.ts', '', ['names']],
    ['server/store/hosts.ts', 'export default 1', ['exports']],
    ['app/page.tsx', 'export default function Page() {}', []],
    ['server/store/hosts.ts', 'interface ComputeNode {}', ['words']],
    ['server/store/hosts.ts', 'interface Host { memoryMb: number }', ['words']],
    ['server/store/hosts.ts', 'interface Host { memoryMib: number; vmState: string }', []],
    ['server/store/hosts.ts', 'const memoryMb = row.memory_mb', ['words']],
    ['server/store/hosts.ts', 'const memoryMib = row.memoryMb', []],
    ['server/simulation/run.ts', 'const world = 1', ['words']],
    ['server/simulation/run.ts', 'type PowerStorm = string', ['words']],
    ['server/store/hosts.ts', 'interface Asked { host: string }', ['types']],
    ['server/store/hosts.ts', 'interface Judging { host: string }', ['types']],
    ['server/store/hosts.ts', 'interface HostAsk { host: string }', ['types']],
    ['server/store/hosts.ts', 'interface Finding { host: string }', []],
    ['server/store/hosts.ts', 'export type Books = readonly string[]', ['types']],
    ['server/store/hosts.test.ts', 'class RecordBooks {}', ['types']],
    ['server/store/hosts.ts', 'interface HostAnswer { asked: string }', []],
    ['server/store/hosts.ts', 'const Place = 1', []],
    ['server/store/hosts.ts', 'let cache = 1', ['state']],
    ['server/wiring.ts', 'let started = false', []],
  ])('%s: %s', (path, text, rules) => {
    expect(broken(path, text)).toEqual(rules)
  })

  test('a message says where the code belongs', () => {
    const [breach] = checkSource(readSource('server/api/hosts.ts', `import { a } from '../conductor/step'`))
    expect(breach?.message).toContain('belongs there, or in a room that may import it')
  })
})
