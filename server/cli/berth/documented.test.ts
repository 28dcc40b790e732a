import fs from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { berthCommand } from './main'

// Every `berth …` in the documents is a command that the program accepts. The blocks of docs/cli.md are run elsewhere.

const documents = ['README.md', 'CONTRIBUTING.md', ...filesBelow('docs')]

function filesBelow(folder: string): readonly string[] {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.md')).map((name) => path.join(folder, name))
}

/** Parses without doing anything. */
function inert(command: Command): Command {
  command.configureOutput({ writeErr: () => {}, writeOut: () => {} })
  if (command.commands.length === 0) command.action(() => {})
  for (const each of command.commands) inert(each)
  return command
}

const mentioned = documents.flatMap((file) =>
  [...fs.readFileSync(file, 'utf8').matchAll(/`berth( [^`]+)`/g)].map(([, words = '']) => ({
    file,
    words: words.trim().split(/\s+/),
  })),
)

test('the documents mention commands', () => expect(mentioned.length).toBeGreaterThan(10))

test.each(mentioned)('$file: berth accepts $words', async ({ words }) => {
  await inert(berthCommand('0')).parseAsync(words, { from: 'user' })
})
