import type { Command } from 'commander'
import { type Client, openClient } from './client'
import { ExitCode, failed } from './failure'

// Parts that every command uses: the client, its output, and names resolved to ids.

export interface Session extends Client {
  readonly isJson: boolean
  /** Prints a table, or with `-o json` the unchanged response. */
  show(answer: unknown, table: () => Table): void
  /** Prints one line of progress to standard error. */
  note(line: string): void
  hostId(nameOrId: string): Promise<string>
  instanceId(nameOrId: string): Promise<string>
}

export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly (string | number | null | undefined)[])[]
  /** Printed instead of an empty table. */
  readonly none?: string
}

interface GlobalOptions {
  readonly url?: string
  readonly output: string
}

/** Reads BERTH_URL and BERTH_TOKEN. A token is never an argument, because all users of the machine can see arguments. */
export function openSession(command: Command): Session {
  const { url, output } = command.optsWithGlobals<GlobalOptions>()
  const token = process.env.BERTH_TOKEN
  if (!url || !isWebAddress(url)) {
    const what = url ? `${url} is no http or https URL.` : 'The URL of Berth is missing.'
    const next = 'Set BERTH_URL to the URL of Berth, such as https://berth.example, or use --url.'
    throw failed(ExitCode.usage, { what, next })
  }
  if (!token || !TOKEN.test(token)) {
    const what = token ? 'BERTH_TOKEN has characters that no token has, such as a space.' : 'The token is missing.'
    throw failed(ExitCode.usage, { what, next: 'Set BERTH_TOKEN to a token. Admins create tokens on the page Users.' })
  }
  const client = openClient({ url, token })
  const isJson = output === 'json'
  return {
    ...client,
    isJson,
    show: (answer, table) => console.log(isJson ? JSON.stringify(answer, null, 2) : text(table())),
    note: (line) => console.error(line),
    hostId: (name) =>
      idOf('host', name, async () => {
        const { rows } = await client.call('host.list', { where: [{ key: 'host', any: [name] }] })
        return rows
      }),
    instanceId: (name) =>
      idOf('instance', name, async () => {
        const { rows } = await client.call('instance.list', { where: [{ key: 'name', any: [name] }] })
        return rows
      }),
  }
}

/** Characters that a header may have: with others nothing could be sent. */
const TOKEN = /^[\x21-\x7e]+$/

const isWebAddress = (url: string) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A list ends at its limit. */
export function noteUnlisted({ note }: Session, { rows, total }: { rows: readonly unknown[]; total: number }): void {
  if (total > rows.length) note(`${rows.length} of ${total} are listed.`)
}

type NamedResource = { readonly id: string; readonly name: string }

async function idOf(noun: string, given: string, find: () => Promise<readonly NamedResource[]>): Promise<string> {
  if (UUID.test(given)) return given
  const found = (await find()).filter(({ name }) => name === given)
  const [first, second] = found
  if (!first) {
    const next = `Check the name, or use the id; the console lists all ${noun}s.`
    throw failed(ExitCode.notFound, { what: `There is no ${noun} ${given}.`, next })
  }
  if (second) {
    throw failed(ExitCode.refused, { what: `${found.length} ${noun}s have the name ${given}.`, next: 'Use the id.' })
  }
  return first.id
}

function text({ head, rows, none = 'None.' }: Table): string {
  if (rows.length === 0) return none
  const cells = [head.map((each) => each.toUpperCase()), ...rows.map((row) => row.map((cell) => String(cell ?? '-')))]
  const widths = head.map((_, n) => Math.max(...cells.map((row) => row[n]?.length ?? 0)))
  return cells
    .map((row) =>
      row
        .map((cell, n) => cell.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Names and values, one pair per row. */
export const facts = (pairs: Readonly<Record<string, string | number | null | undefined>>): Table => ({
  head: ['field', 'value'],
  rows: Object.entries(pairs),
})

export const timeText = (ms: number | null): string | null =>
  ms === null ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`
