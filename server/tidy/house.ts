import fs from 'node:fs'
import path from 'node:path'
import { ROOMS } from './law'
import { readSource, type Source } from './source'

// The files of the project, each read once for all checks.

const ROOT = path.join(import.meta.dirname, '../..')
const SKIPPED = new Set(['node_modules', 'generated', '.git', '.next', '.data', 'test-results', 'playwright-report'])
const roomTops = [...new Set(ROOMS.map((room) => room.path.split('/', 1).join()))]

/** Every file of the project, by its path from the root. */
export const files: readonly string[] = fs
  .readdirSync(ROOT)
  .filter((top) => !SKIPPED.has(top))
  .flatMap(filesUnder)
  .sort()

function filesUnder(top: string): string[] {
  if (!fs.statSync(path.join(ROOT, top)).isDirectory()) return [top]
  const entries = fs.readdirSync(path.join(ROOT, top), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

export const readText = (file: string): string => fs.readFileSync(path.join(ROOT, file), 'utf8')

const isCode = (file: string) => /\.(tsx?|mjs)$/.test(file) && !file.endsWith('.d.ts')
const isInARoom = (file: string) => file.includes('/') && roomTops.includes(file.slice(0, file.indexOf('/')))

/** Every source file, including those outside of rooms, such as settings of tools. */
export const everySource: readonly Source[] = files.filter(isCode).map((file) => readSource(file, readText(file)))

/** The source files in rooms. */
export const sources: readonly Source[] = everySource.filter(({ path: file }) => isInARoom(file))
