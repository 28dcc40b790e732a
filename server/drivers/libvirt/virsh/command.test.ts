import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sessionAddress } from '../connection.contract'
import { runVirsh } from './command'

// A stand-in for virsh that prints a line and exits, or hangs.

const address = sessionAddress('unix:/nowhere')
const before = process.env.PATH
let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'virsh-'))
  const script = '#!/bin/sh\ncase "$*" in *hang*) sleep 60;; *) echo told;; esac\n'
  fs.writeFileSync(path.join(folder, 'virsh'), script, { mode: 0o755 })
  process.env.PATH = `${folder}:${before}`
})
afterAll(() => {
  process.env.PATH = before
  fs.rmSync(folder, { recursive: true })
})

const block = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('a command returns its output', async () => {
  expect(await runVirsh(address, ['list'], { limitMs: 20_000 })).toBe('told\n')
})

test('a command that hangs is killed at its deadline, with its children', async () => {
  await expect(runVirsh(address, ['hang'], { limitMs: 200 })).rejects.toMatchObject({ kind: 'timed-out' })
})

test('output read only after the deadline is discarded, because it may be incomplete', async () => {
  const asked = runVirsh(address, ['list'], { limitMs: 300 })
  block(1_500) // the command has exited, and this process is too busy to read its output
  await expect(asked).rejects.toMatchObject({ kind: 'timed-out' })
})
