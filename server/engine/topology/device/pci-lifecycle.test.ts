import { describe, expect, it } from 'vitest'
import { type PciOperation, type PciRow, stepPci } from './pci-lifecycle'

const row = (address: string, devType: PciRow['devType'], parentAddress: string | null): PciRow => ({
  address,
  devType,
  parentAddress,
  status: 'available',
  owner: null,
})

const START = [row('pf', 'type-PF', null), row('vf1', 'type-VF', 'pf'), row('vf2', 'type-VF', 'pf')]

/** Steps as words: `claim vf1 a`. Returns the statuses, or the error of the step that failed. */
function play(...steps: readonly string[]): string {
  let rows: readonly PciRow[] = START
  for (const step of steps) {
    const [op, address, owner = null] = step.split(' ')
    const result = stepPci(rows, { op: op as PciOperation, address: address!, owner })
    if (!result.ok) return result.error
    rows = result.rows
  }
  return rows.map(({ status, owner }) => (owner ? `${status}:${owner}` : status)).join(' ')
}

describe('a PCI device', () => {
  const check = (steps: readonly string[], outcome: string) =>
    it(`${steps.join(', ')} → ${outcome}`, () => expect(play(...steps)).toBe(outcome))

  check(['claim vf1 a'], 'unclaimable claimed:a available')
  check(['claim vf1 a', 'allocate vf1 a'], 'unavailable allocated:a available')
  check(['claim vf1 a', 'allocate vf1 b'], 'wrong-owner')
  check(['claim vf1 a', 'claim pf b'], 'wrong-status')
  check(['claim pf a'], 'claimed:a unclaimable unclaimable')
  check(['claim pf a', 'allocate pf a'], 'allocated:a unavailable unavailable')
  check(['claim pf a', 'free pf a'], 'available available available')
  check(['claim vf1 a', 'claim vf2 b', 'free vf1 a'], 'unclaimable available claimed:b')
  check(['claim vf1 a', 'claim vf2 b', 'free vf1 a', 'free vf2 b'], 'available available available')
  check(['free vf1 a'], 'wrong-status')
  check(['remove vf1', 'claim pf a'], 'child-status')
  check(['remove pf', 'claim vf1 a'], 'parent-status')
  check(['claim vf1 a', 'remove vf1'], 'wrong-status')
  check(['claim nowhere a'], 'unknown-device')
})
