import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type Breach, checkSource } from './tidy/check'
import { ROOMS } from './tidy/law'
import { readSource } from './tidy/source'

// The house law on the house itself. The law is in tidy/law.ts, its own tests in tidy/check.test.ts.

const root = path.join(import.meta.dirname, '..')
const tops = [...new Set(ROOMS.map((room) => room.path.split('/')[0]!))]
const files = listFiles().filter((file) => /\.(tsx?|mjs)$/.test(file) && !file.endsWith('.d.ts'))
const breaches = files.flatMap((file) => checkSource(readSource(file, fs.readFileSync(path.join(root, file), 'utf8'))))

function listFiles(): string[] {
  const inside = (top: string) => fs.readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
  const present = tops.filter((top) => fs.existsSync(path.join(root, top)))
  return present.flatMap((top) => inside(top).map((file) => `${top}/${file.replaceAll('\\', '/')}`))
}

const asLine = ({ path: file, line, rule, message }: Breach) => `${file}:${line} [${rule}] ${message}`

test('the law reads the whole house', () => {
  expect(files.length).toBeGreaterThan(10)
})

test('nothing breaks the house law', () => {
  const soft = breaches.filter((breach) => breach.soft)
  if (soft.length > 0) console.warn(`Over a soft limit:\n${soft.map(asLine).join('\n')}`)
  expect(breaches.filter((breach) => !breach.soft).map(asLine)).toEqual([])
})
