import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'

// Every command of this folder: the files that no other file imports by their exports.

const COMMANDS = fs
  .readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .filter((name) => !/^export /m.test(fs.readFileSync(path.join(import.meta.dirname, name), 'utf8')))

const NOWHERE = 'postgresql://nobody@127.0.0.1:9/none'

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

function run(command: string, ...words: readonly string[]): Promise<Ran> {
  // Nothing answers there: a command that connects before it reads its arguments fails.
  const env = {
    ...{ ...process.env, TSX_TSCONFIG_PATH: path.resolve('tsconfig.json') },
    DATABASE_URL: NOWHERE,
  }
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-usage-'))
  const tsx = import.meta.resolve('tsx')
  const child = spawn(process.execPath, ['--import', tsx, path.join(import.meta.dirname, command), ...words], {
    env,
    cwd,
  })
  let [out, error] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (error += chunk))
  return new Promise((resolve) =>
    child.on('close', (code) => {
      expect(fs.readdirSync(cwd)).toEqual([])
      fs.rmdirSync(cwd)
      resolve({ code, out, error })
    }),
  )
}

/** Those that read their arguments each in another way; to start all of them takes a minute. */
const STARTED = ['token.ts', 'backup.ts', 'captured-host.ts', 'cloud.ts']

test.each(COMMANDS)('%s prints its usage on request and when it is called wrongly', (command) => {
  const text = fs.readFileSync(path.join(import.meta.dirname, command), 'utf8')
  expect([/printedHelp\(/.test(text), /wrongCall\(/.test(text)]).toEqual([true, true])
})

test.each(STARTED)('%s prints its usage for --help', async (command) => {
  expect(COMMANDS).toContain(command)
  expect(await run(command, '--help')).toEqual({ code: 0, out: expect.stringMatching(/^usage: np[mx] /), error: '' })
})

test.each(STARTED)('%s refuses an unknown option and changes nothing', async (command) => {
  const { code, error } = await run(command, '--unknown')
  expect({ code, error }).toEqual({
    code: 2,
    error: expect.stringMatching(/^.+\. Nothing was changed\.\nusage: np[mx] /),
  })
  expect(error).not.toContain('positional')
})

test.each([
  ['token.ts', 'list'],
  ['reshape.ts', '--dry-run'],
])('%s %s without a database says what to correct, without a stack', async (command, word) => {
  const { code, error } = await run(command, word)
  expect({ code, error }).toEqual({
    code: 3,
    error: expect.stringMatching(/^The database does not accept a connection .+ Nothing more was changed\.\n$/),
  })
})
