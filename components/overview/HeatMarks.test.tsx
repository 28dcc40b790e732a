import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { HeatCell } from '@/server/api/host/view'
import { HeatMarks } from './HeatMarks'

const marksOf = (worst: HeatCell['worst']) => {
  const cell = { movesIn: 0, movesOut: 0, findings: 1, worst } as HeatCell
  return [...render(<HeatMarks cell={cell} />).container.children].map(({ className }) => className)
}

it('a host with a critical finding and one with a warning have different marks, others none', () => {
  const [critical, warning] = [marksOf('critical'), marksOf('warning')]
  expect([critical.length, warning.length]).toEqual([1, 1])
  expect(critical).not.toEqual(warning)
  expect([marksOf('info'), marksOf(null)]).toEqual([[], []])
})
