import { describe, expect, it } from 'vitest'
import type { CpuThreadPolicy } from '../guest-topology'
import type { NumaNode } from '../host'
import { prepareHost } from '../prepared'
import { pinnedGuest, testNode } from '../test-host'
import { chooseCpus, cpusFit } from './cpus'

// Three cores of two threads: 0/10, 1/11, 2/12.

interface Row {
  readonly policy: CpuThreadPolicy | null
  readonly vcpus: number
  readonly pinned?: readonly number[]
  readonly reserve?: number
  readonly node?: Partial<NumaNode>
}

function choose({ policy, vcpus, pinned = [], reserve = 0, node = {} }: Row): string {
  const [host] = prepareHost([testNode(0, 3, { pinnedCpus: pinned, ...node })], []).preparedNodes
  const guest = pinnedGuest([vcpus], { threadPolicy: policy }).cells[0]!
  if (!cpusFit(guest, host!, reserve)) return 'no'
  const { pins, reserved, reservedSharesCore } = chooseCpus(guest, host!, reserve)
  return [pins.join(' '), ...(reserved.length ? [`+${reserved}${reservedSharesCore ? ' shared' : ''}`] : [])].join(' ')
}

const check = (name: string, row: Row, cpus: string) => it(`${name}: ${cpus}`, () => expect(choose(row)).toBe(cpus))

describe('the default thread policy', () => {
  check('fills sibling threads', { policy: null, vcpus: 3 }, '0 10 1')
  check('takes half-used cores first', { policy: null, vcpus: 2, pinned: [0, 1] }, '10 11')
  check('takes whole cores afterwards', { policy: null, vcpus: 3, pinned: [0] }, '10 1 11')
  check('refuses too many vCPUs', { policy: null, vcpus: 7 }, 'no')
  check('refuses without a free CPU', { policy: null, vcpus: 1, pinned: [0, 1, 2, 10, 11, 12] }, 'no')
})

describe('the thread policy prefer', () => {
  check('takes whole cores first', { policy: 'prefer', vcpus: 2, pinned: [0] }, '1 11')
  check('puts an odd vCPU on a lone thread', { policy: 'prefer', vcpus: 3, pinned: [0] }, '1 11 10')
  check('takes lone threads if nothing else is free', { policy: 'prefer', vcpus: 3, pinned: [0, 1, 2] }, '10 11 12')
})

describe('the thread policy require', () => {
  check('takes whole siblings', { policy: 'require', vcpus: 4, pinned: [0] }, '1 11 2 12')
  check('accepts one lone vCPU', { policy: 'require', vcpus: 3 }, '0 10 1')
  check('refuses lone threads', { policy: 'require', vcpus: 2, pinned: [0, 1, 2] }, 'no')
  check('refuses a host without SMT', { policy: 'require', vcpus: 1, node: testNode(0, 3, { threads: 1 }) }, 'no')
  check(
    'strands the fewest of four threads',
    { policy: 'require', vcpus: 4, node: testNode(0, 2, { threads: 4 }) },
    '0 10 20 30',
  )
})

describe('the thread policy isolate', () => {
  const legacy = { sharedCpus: [0, 1, 2, 10, 11, 12] }
  check('takes one vCPU per core', { policy: 'isolate', vcpus: 2, node: legacy }, '0 1')
  check('takes only whole cores', { policy: 'isolate', vcpus: 3, node: legacy, pinned: [0] }, 'no')
  check('refuses SMT with split CPU sets', { policy: 'isolate', vcpus: 1 }, 'no')
  check('works without SMT on any host', { policy: 'isolate', vcpus: 2, node: testNode(0, 3, { threads: 1 }) }, '0 1')
  check('puts the emulator on a whole core', { policy: 'isolate', vcpus: 2, node: legacy, reserve: 1 }, '0 1 +2')
  check(
    'puts the emulator beside others otherwise',
    { policy: 'isolate', vcpus: 2, node: legacy, pinned: [0], reserve: 1 },
    '1 2 +10 shared',
  )
  check('never puts the emulator beside its own vCPUs', { policy: 'isolate', vcpus: 3, node: legacy, reserve: 1 }, 'no')
})

describe('isolated emulator threads', () => {
  check('take the smallest rest', { policy: null, vcpus: 3, reserve: 1 }, '0 10 1 +11')
  check('count as a CPU', { policy: null, vcpus: 6, reserve: 1 }, 'no')
})
