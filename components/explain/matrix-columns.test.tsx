import { expect, it } from 'vitest'
import type { ExplainReason } from '@/server/api/explain/router'
import { ruleColumn } from './matrix-columns'
import type { MatrixRow } from './nearest'

const reason = (over: Partial<ExplainReason>): ExplainReason => ({
  ...{ kind: 'amount-shape', need: 'at most 80', have: '500', free: null, shortBy: null, unit: null },
  ...{ times: 1, heldBy: [], heldByMore: 0, ...over },
})
const row = (of: ExplainReason) => ({ verdict: 'refused', reasons: [of] }) as unknown as MatrixRow
const textOf = (of: ExplainReason) => ruleColumn(of.kind).exported?.(row(of), 0)

it('an amount that is not allowed is shown beside what is', () => {
  expect(textOf(reason({}))).toBe('500, at most 80')
})

it('an amount that is short is shown by how much of what', () => {
  expect(textOf(reason({ kind: 'amount', need: 8, free: 5, have: null, shortBy: 3, unit: 'CPUs' }))).toBe(
    '−3 of 8 CPUs',
  )
})
