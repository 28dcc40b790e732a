import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { ForeignDomains } from './foreign-domains'
import { writeKernel } from './guest'
import { makePool } from './pool'
import { type Rig, startRig, TWO_NODES } from './rig'

// Two hosts for the tests in a file, with foreign domains that are checked after every test.

export interface GuardedRig {
  readonly rig: Rig
  readonly foreignDomains: ForeignDomains
}

/** Call inside `describe`. The returned function works once the tests have started. */
export function guardedRig(): () => GuardedRig {
  let rig: Rig
  let foreignDomains: ForeignDomains
  beforeAll(async () => {
    rig = await startRig([TWO_NODES, TWO_NODES])
    writeKernel(path.join(rig.folder, 'guest'))
    for (const host of rig.hosts) await makePool(host)
    foreignDomains = await ForeignDomains.on(rig)
  })
  afterEach(async () => expect(await foreignDomains.touched()).toEqual([]))
  afterAll(() => rig?.down())
  return () => ({ rig, foreignDomains })
}
