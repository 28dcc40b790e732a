import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { removeCluster, startCluster } from './cluster'

const RUNS = path.join(import.meta.dirname, '../../../.data/cluster-test')

test('several runs that start together may remove the same running server', async () => {
  const directory = path.join(RUNS, String(process.pid))
  await startCluster({ directory, durable: false })
  await Promise.all([1, 2, 3].map(() => removeCluster(directory)))
  expect(fs.existsSync(directory)).toBe(false)
}, 60_000)
