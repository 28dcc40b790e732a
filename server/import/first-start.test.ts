import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { decide } from '../engine/claim'
import { demandOf } from '../engine/demand'
import { questionOf } from '../engine/migration/question'
import { connectDatabase } from '../store/database/database'
import { readMigrationView } from '../store/migration/view'
import { DEMO_FLAVORS } from './demo-instances'
import { firstStart } from './first-start'

const database = onFreshDatabase(connectDatabase, { each: true })

test('the demo fleet starts with a resize that fits its host', async () => {
  const simulator = { setFault: async () => {}, setDirtyRate: async () => {} }
  const services = { database, simulator, adoptInstances: async () => {}, at: 0, confirmWindowMs: null }
  expect(await firstStart(services)).toBe(true)

  const [resize] = await database.prisma.migration.findMany({ where: { operation: 'resize' } })
  const view = await readMigrationView(database, resize?.id as never)
  if (!view?.source) throw new Error('no resize was begun')
  const larger = DEMO_FLAVORS.find(({ name }) => name === 's1.large')
  const asked = larger && demandOf(larger, view.instance.image, {})
  if (!asked?.ok) throw new Error('the larger flavor asks for nothing')
  const { instance, source } = view
  const migration = questionOf({ operation: 'resize', instance, source, demand: asked.demand, group: null })
  expect(migration.ok && decide({ ...migration.question, host: source })).toMatchObject({ ok: true })
  expect(instance.name).toBe('web-02')
})
