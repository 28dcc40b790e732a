import path from 'node:path'
import { expect, test } from 'vitest'
import { files, readText } from './house'
import { ROOMS, type Room } from './law'

// Checks what documents say about rooms against the house law, and that their links lead somewhere.

const everyRoom = 'all rooms of the server'
const short = (path: string) => path.replace(/^server\//, '')

function mayImport({ imports, types }: Room): string {
  const named =
    imports.includes('server/wiring') && imports.includes('server/scenarios')
      ? imports.filter(isOutsideTheServer)
      : imports
  const whole = named.length < imports.length ? [everyRoom, ...named.map(short)] : named.map(short)
  const values = whole.length > 0 ? whole.join(', ') : 'nothing'
  return types ? `${values}; types of ${types.map(short).join(', ')}` : values
}

/** Rooms that "all rooms of the server" does not include. */
const isOutsideTheServer = (room: string) =>
  !room.startsWith('server/') || ['server/boot', 'server/cli', 'server/vectors'].includes(room)

const roomsTable = ['| room | holds | may import |', '|---|---|---|']
  .concat(ROOMS.map((room) => `| \`${room.path}\` | ${room.holds} | ${mayImport(room)} |`))
  .join('\n')

test('docs/architecture.md has the table of rooms of the law', () => {
  expect(readText('docs/architecture.md')).toContain(`\n${roomsTable}\n`)
})

test('the index of decisions lists each with its title', () => {
  const records = files
    .filter((file) => /^docs\/decisions\/\d{4}-/.test(file))
    .map((file) => ({ file, text: readText(file) }))
  const titles = records.map(({ file, text }) => {
    const name = file.slice('docs/decisions/'.length)
    return `| [${name.slice(0, 4)}](${name}) | ${text
      .split('\n', 1)
      .join()
      .replace(/^# \d+[.:]? /, '')}`
  })
  const rows = readText('docs/decisions/README.md').match(/^\| \[.*$/gm) ?? []
  expect(rows.map((row) => row.split(' | ').slice(0, 2).join(' | '))).toEqual(titles)
  for (const row of rows) expect(row).toMatch(/ \| \d{4}-\d{2}-\d{2} \| (accepted|replaced)(, changed by \d{4})? \|$/)
})

/** As a page on GitHub names its headings. */
const headingsOf = (file: string) =>
  [...readText(file).matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

test('every link of a document leads to a file, and to a heading that it has', () => {
  const links = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((from) =>
      [...readText(from).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)].map((link) => ({ from, link })),
    )
  const dead = links.filter(({ from, link: [, to = '', heading] }) => {
    const target = to === '' ? from : path.posix.join(path.posix.dirname(from), to)
    return !files.includes(target) || (heading && !headingsOf(target).includes(heading))
  })
  expect(links.length).toBeGreaterThan(100)
  expect(dead.map(({ from, link: [text] }) => `${from}: ${text}`)).toEqual([])
})

test('docs/operation.md leads from a symptom to each runbook', () => {
  const runbooks = files.filter((file) => file.startsWith('docs/runbooks/'))
  const text = readText('docs/operation.md')
  expect(runbooks.filter((file) => !text.includes(`(${file.slice('docs/'.length)})`))).toEqual([])
})
