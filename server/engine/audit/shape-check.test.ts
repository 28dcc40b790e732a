import { expect, test } from 'vitest'
import { smallHost } from '../testing/hosts'
import { demandFor, pinned, planOn } from '../testing/instances'
import { shapeProblems } from './shape-check'

test('a part of a device that is held for a request which the flavor lacks is found', () => {
  const demand = demandFor(pinned(2))
  const body = planOn(smallHost({ n: 1 }), demand)
  expect(shapeProblems(demand, body)).toEqual([])
  const part = { unit: 'pci:0000:81:00.1', kind: 'pci', use: 'with-parent' } as const
  for (const [requestId, named] of [
    ['', 'no request'],
    ['flavor:gone:0', 'flavor:gone:0'],
  ] as const)
    expect(shapeProblems(demand, { ...body, units: [...body.units, { ...part, requestId }] })).toEqual([
      { kind: 'claim-differs-from-flavor', detail: `${part.unit} is held with its parent for ${named}` },
    ])
})
