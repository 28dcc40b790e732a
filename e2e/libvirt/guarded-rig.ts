import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { Strangers } from './foreign-domains'
import { writeKernel } from './guest'
import { makePool } from './pool'
import { type Rig, startRig, TWO_NODES } from './rig'

// Two hosts for the tests in a file, with foreign domains that are checked after every test.

export interface GuardedRig {
  readonly rig: Rig
  readonly strangers: Strangers
}

/** Call inside `describe`. The returned function works once the tests have started. */
export function guardedRig(): () => GuardedRig {
  let rig: Rig
  let strangers: Strangers
  beforeAll(async () => {
    rig = await startRig([TWO_NODES, TWO_NODES])
    writeKernel(path.join(rig.folder, 'guest'))
    for (const host of rig.hosts) await makePool(host)
    strangers = await Strangers.on(rig)
  })
  afterEach(async () => expect(await strangers.touched()).toEqual([]))
  afterAll(() => rig?.down())
  return () => ({ rig, strangers })
}
