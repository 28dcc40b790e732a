import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import { connectDatabase } from '../database/database'
import { AT, changeOf, putHost } from '../testing/records'
import { commitPart, type PlanState, putPlan, readPlan } from './plan'

// A server may be killed after any part of a repair: the plan says what was applied all the same.

const database = onFreshDatabase(connectDatabase)

async function planOf(parts: number, undoOf: string | null = null): Promise<string> {
  const id = randomUUID()
  const numbers = Array.from({ length: parts }, (_, at) => at + 1)
  await putPlan(database, {
    ...{ id, madeBy: 'olga', at: AT, undoOf, replaces: null, foreseen: null },
    parts: numbers.map((n) => ({ n, finding: randomUUID(), part: {}, changed: [] })),
  })
  return id
}

const stateOf = async (id: string) => (await readPlan(database, id))?.plan.state

function expected(parts: number, done: readonly boolean[]): PlanState {
  const applied = done.filter((each) => each).length
  if (applied === parts) return 'applied'
  return applied > 0 ? 'partly-applied' : done.length > 0 ? 'changed' : 'draft'
}

test('the state of a repair follows with each part, and that of the repair it undoes too', async () => {
  const { id: host } = await putHost(database, smallHost({ n: 1 }))
  const lost = changeOf([], { providers: [{ provider: host as never, generation: 999 }] })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }), async (landing) => {
      const plan = await planOf(landing.length)
      for (const [at, lands] of landing.entries()) {
        await commitPart(database, { plan, n: at + 1, change: lands ? changeOf([]) : lost })
        expect(await stateOf(plan)).toBe(expected(landing.length, landing.slice(0, at + 1)))
      }
      if (!landing.every((each) => each)) return
      const undo = await planOf(landing.length, plan)
      for (const n of landing.keys()) await commitPart(database, { plan: undo, n: n + 1, change: changeOf([]) })
      expect([await stateOf(undo), await stateOf(plan)]).toEqual(['applied', 'undone'])
    }),
    { numRuns: 15, examples: [[[true, true]], [[false, true]]] },
  )
})
