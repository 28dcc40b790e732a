import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cloudKey } from './cloud-key'

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'key-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  fs.rmSync(folder, { recursive: true })
})

test('a new key is on the disk with its name before anything is sealed with it', async () => {
  const opened = vi.spyOn(fs, 'openSync')
  const synced = vi.spyOn(fs, 'fsyncSync')
  const file = path.join(folder, 'data', 'cloud.key')
  const environment = { NODE_ENV: 'test', BERTH_CLOUD_KEY_FILE: file } as const
  const key = await cloudKey(environment)
  expect(fs.readdirSync(path.dirname(file))).toEqual(['cloud.key'])
  expect(opened.mock.calls.map(([name]) => name)).toEqual([
    expect.stringMatching(/data\/cloud\.key\.\d+\.\w+$/),
    path.dirname(file),
  ])
  expect(synced.mock.calls.map(([sync]) => sync)).toEqual(opened.mock.results.map(({ value }) => value))
  expect(await cloudKey(environment)).toEqual(key)
  expect(synced).toHaveBeenCalledTimes(2)
})
