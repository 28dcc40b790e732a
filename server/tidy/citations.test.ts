import { describe, expect, test } from 'vitest'
import {
  codesCited,
  commentsOf,
  decisionsCited,
  hasTest,
  lawsOf,
  namesCited,
  namesInTitles,
  textsCited,
} from './citations'
import { files, readText } from './house'

const laws = lawsOf(readText('docs/laws.md'))
const codes = new Set(laws.map(({ code }) => code))
const letters = [...new Set(laws.map(({ code }) => code.slice(0, 1)))].join('')
const numbers = new Set(files.flatMap((file) => /^docs\/decisions\/(\d{4})-/.exec(file)?.[1] ?? []))
const isRead = (file: string) => /\.(tsx?|mjs|sql|md)$/.test(file) && !/^server\/tidy\/citations|\.d\.ts$/.test(file)
const isCode = (file: string) => /\.(tsx?|mjs|sql|prisma|json)$/.test(file) && file !== 'package-lock.json'
const TESTS = /\.(test|spec|contract|suite\.rig|rig)\.tsx?$/
const read = files.filter(isRead).map((path) => ({ path, text: commentsOf(path, readText(path)) }))

describe('docs/laws.md', () => {
  test('parses to as many laws as it has rows', () => {
    const rows = readText('docs/laws.md').match(/^\| [A-Z]\d+ \|/gm) ?? []
    expect(laws).toHaveLength(rows.length)
    expect(codes.size).toBe(rows.length)
  })

  test.each(laws)('$code names a test that exists', ({ file, test: name }) => {
    expect(files).toContain(file)
    if (name) expect(hasTest(readText(file), name), `${file} has no test named: ${name}`).toBe(true)
  })

  test('defines every code that a comment or a document cites', () => {
    const unknown = read
      .flatMap(({ path, text }) => codesCited(path, text, letters))
      .filter((each) => !codes.has(each.cited))
    expect(
      unknown.map(({ path, line, cited }) => `${path}:${line} cites ${cited}, which docs/laws.md does not define`),
    ).toEqual([])
  })
})

test('every cited decision exists', () => {
  const gone = read.flatMap(({ path, text }) => decisionsCited(path, text)).filter((each) => !numbers.has(each.cited))
  expect(
    gone.map(({ path, line, cited }) => `${path}:${line} cites decision ${cited}, which is not in docs/decisions`),
  ).toEqual([])
})

/** What a build leaves beside the sources. */
const BUILT = 'generated/'

test('every cited file exists, so that a comment cites nothing that a reader does not have', () => {
  const exists = (name: string) =>
    name.startsWith(BUILT) || files.some((file) => `/${file}`.endsWith(`/${name.replace(/^(\.{1,2}\/)+/, '')}`))
  const gone = read.flatMap(({ path, text }) => textsCited(path, text)).filter(({ cited }) => !exists(cited))
  expect(gone.map(({ path, line, cited }) => `${path}:${line} cites ${cited}, which is not here`)).toEqual([])
})

/** Placeholders such as `traitN`, functions of libvirt, and words of the field such as vCPU. */
const FOREIGN = /N$|^vir[A-Z]|^v[A-Z]/

test('every name that a comment or the title of a test cites is one of the code', () => {
  const code = new Set(
    files.filter(isCode).flatMap((path) => {
      const text = readText(path)
      const comments = new Set(commentsOf(path, text).split('\n'))
      return text.split('\n').flatMap((line) => (comments.has(line) ? [] : (line.match(/[A-Za-z_]\w*/g) ?? [])))
    }),
  )
  const cited = [
    ...read.flatMap(({ path, text }) => namesCited(path, text)),
    ...files.filter((path) => TESTS.test(path)).flatMap((path) => namesInTitles(path, readText(path))),
  ]
  const gone = cited.filter(({ cited }) => !code.has(cited) && !FOREIGN.test(cited))
  expect(gone.map(({ path, line, cited }) => `${path}:${line} cites ${cited}, which is no name of the code`)).toEqual(
    [],
  )
})

describe('a citation', () => {
  test.each([
    ['// as `fitCountsOf(hosts)` does, but not `--dry-run`', ['fitCountsOf']],
    ['// fitCountsOf', []],
  ])('of names in %j is parsed', (text, expected) => {
    expect(namesCited('a.ts', commentsOf('a.ts', text)).map(({ cited }) => cited)).toEqual(expected)
  })

  test.each([
    ["test('roomsOf equals fitCountsOf', () => sum(hostsOf))", ['roomsOf', 'fitCountsOf']],
    ["test.each(rowsOf)('a row', check)", []],
  ])('of names in the title of %j is parsed', (text, expected) => {
    expect(namesInTitles('a.test.ts', text).map(({ cited }) => cited)).toEqual(expected)
  })

  test.each([
    ['// Written from SCHEMA.md alone', ['SCHEMA.md']],
    ['// design/migrations.md, "words"', ['design/migrations.md']],
    ['// as `../store/fit.ts` does (C.7 group 33)', ['../store/fit.ts', 'C.7']],
    ["const file = 'notes.md'", []],
    ['// *.test.ts, Node.js and 2.1', []],
  ])('of texts in %j is parsed', (text, expected) => {
    expect(textsCited('a.ts', commentsOf('a.ts', text)).map(({ cited }) => cited)).toEqual(expected)
  })

  test.each([
    ['// the end gives back (L3)', ['L3']],
    ['// L1 to L3', ['L1', 'L3']],
    ["const law = 'L9'", []],
    ['const a = 1 // I99', ['I99']],
    ['/** N5:\n * I7 */', ['N5', 'I7']],
    ['// %F0, UTF8, x-L1', []],
    ["const url = 'https://a.test/L3'", []],
  ])('of codes in %j is parsed', (text, expected) => {
    expect(codesCited('a.ts', commentsOf('a.ts', text), letters).map(({ cited }) => cited)).toEqual(expected)
  })

  test.each([
    ['as decision 0101 says', ['0101']],
    ['(0022): the commit', ['0022']],
    ['docs/decisions/0145-placement', ['0145']],
    ['2026-01-01, 0644 and 10101', []],
  ])('of decisions in %j is parsed', (text, expected) => {
    expect(decisionsCited('a.md', text).map(({ cited }) => cited)).toEqual(expected)
  })
})
