import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type CommandSettings, commandMethod } from './command'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fencing-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

const script = (name: string, lines: string) => {
  const file = path.join(folder, name)
  fs.writeFileSync(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 })
  return file
}
const method = (lines: string, set: Partial<CommandSettings> = {}) =>
  commandMethod({ command: [script('off', lines)], status: null, environment: {}, deadlineMs: 20_000, ...set })
const status = (lines: string) => method('exit 0', { status: [script('status', lines)] }).readPower?.()

test('the result has the exit code and the last lines of output', async () => {
  expect(await method('echo powering off; echo done >&2').orderOff()).toMatchObject({ accepted: true })
  expect(await method('echo no route; exit 3').orderOff()).toEqual({ accepted: false, detail: 'exit code 3: no route' })
  expect((await method('seq 1 100').orderOff()).detail).toBe('exit code 0: 95 | 96 | 97 | 98 | 99 | 100')
})

test.each([
  ['echo "Status: OFF"; exit 2', 'off'],
  ['echo "Chassis Power is off"', 'off'],
  ['echo "Status: ON"', 'on'],
  ['echo "Chassis Power is on"; exit 1', 'unknown'],
  ['echo "Status: ON"; exit 2', 'unknown'],
  ['echo official', 'unknown'],
  ['echo off; echo connection lost', 'unknown'],
  ['exit 0', 'unknown'],
])('the output of `%s` means power %s', async (lines, power) => {
  expect(await status(lines)).toMatchObject({ power })
})

test('a method without a status command cannot read the power', () => {
  expect(method('exit 0').readPower).toBeNull()
})

test('the command sees few variables, and its secrets are masked in the result', async () => {
  const environment = { BMC_PASSWORD: 's3cret-words' }
  const { detail } = await method('env; echo "password $BMC_PASSWORD"', { environment }).orderOff()
  expect(detail).toContain('password [secret]')
  expect(detail).not.toContain('s3cret-words')
  await method(`env | cut -d= -f1 | sort > ${folder}/names`, { environment }).orderOff()
  expect(fs.readFileSync(path.join(folder, 'names'), 'utf8').trim().split('\n')).toEqual([
    ...['BMC_PASSWORD', 'LC_ALL', 'PATH', 'PWD'],
  ])
})

test('no shell interprets the arguments', async () => {
  const words = ['a b', '$(touch pwned)', '; id', '--', "'"]
  const file = script('words', 'for word in "$@"; do echo "[$word]"; done')
  const { detail } = await commandMethod({
    ...{ command: [file, ...words], status: null, environment: {}, deadlineMs: 20_000 },
  }).orderOff()
  expect(detail).toBe(`exit code 0: ${words.map((word) => `[${word}]`).join(' | ')}`)
})

test('the deadline kills the command with its children, and the result is unknown', async () => {
  const marker = path.join(folder, 'lived-on')
  const answer = await method(`(sleep 2; touch ${marker}) & sleep 60`, { deadlineMs: 300 }).orderOff()
  expect(answer).toEqual({ accepted: null, detail: 'no end within 0.3 s' })
  await new Promise((resolve) => setTimeout(resolve, 2_500))
  expect(fs.existsSync(marker)).toBe(false)
})

test('a missing program counts as not accepted', async () => {
  const answer = await method('', { command: [path.join(folder, 'nothing')] }).orderOff()
  expect(answer).toEqual({ accepted: false, detail: 'it does not start (ENOENT)' })
})

test('control characters are removed from the output', async () => {
  expect((await method("printf '\\033[2Jgone\\007\\n'").orderOff()).detail).toBe('exit code 0: gone')
})
