import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { replayFile, SCENARIOS, vectorFiles } from './replay'

// The recorded vectors are not in the repository. If they are beside it, every case must pass. Scenarios need a whole
// system and have their own test; these files need only the engine.

const FOLDER = resolve(import.meta.dirname, '../../../shared/vectors')
const LONGEST_MS = 60_000

it(
  'the oracle and the engine agree in every case',
  async (context) => {
    if (!existsSync(FOLDER)) return context.skip('no vectors beside the repository: ../shared/vectors is not there')
    const files = vectorFiles(FOLDER).filter((file) => !file.startsWith(SCENARIOS))
    expect(files).not.toEqual([])
    for (const file of files) {
      const { failures, passed } = await replayFile(FOLDER, file)
      expect(failures).toEqual([])
      expect(passed, file).toBeGreaterThan(0)
    }
  },
  LONGEST_MS,
)
