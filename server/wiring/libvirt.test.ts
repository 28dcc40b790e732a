import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { machineImages } from './libvirt'

test('the images of libvirt hosts are the XML files of the folder, and none without a folder', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'machines-'))
  for (const file of ['debian.xml', 'web-1.xml', 'notes.txt', '.hidden.xml'])
    fs.writeFileSync(path.join(folder, file), '')
  vi.stubEnv('LIBVIRT_MACHINES', folder)
  expect([...(await machineImages())].sort()).toEqual(['debian', 'web-1'])
  fs.rmSync(folder, { recursive: true })
  expect(await machineImages()).toEqual([])
  vi.stubEnv('LIBVIRT_MACHINES', undefined)
  expect(await machineImages()).toEqual([])
  vi.unstubAllEnvs()
})
