import { expect, test } from 'vitest'
import { files, readText } from './house'
import { ROOMS, type Room } from './law'

// Checks what documents say about rooms against the house law.

const everyRoom = 'all rooms of the server'
const short = (path: string) => path.replace(/^server\//, '')

function mayImport({ imports, types }: Room): string {
  const named =
    imports.includes('server/wiring') && imports.includes('server/scenarios') ? imports.filter(isNoHall) : imports
  const whole = named.length < imports.length ? [everyRoom, ...named.map(short)] : named.map(short)
  const values = whole.length > 0 ? whole.join(', ') : 'nothing'
  return types ? `${values}; types of ${types.map(short).join(', ')}` : values
}

/** Rooms that "all rooms of the server" does not include. */
const isNoHall = (room: string) =>
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
