import { expect, test } from 'vitest'
import { onFreshDatabase } from '../boot/on-fresh-database'
import { cleanLeftovers } from '../conductor/leftovers'
import type { ConductorContext, RecordEffects } from '../conductor/run'
import type { DestroyOrder } from '../drivers/driver'
import { acceptFence, inProcessRecordStore, updateDomainRecord } from '../drivers/libvirt/domain-record'
import { unconnected } from '../drivers/registry'
import { adopt } from '../engine/lifecycle'
import { prove } from '../engine/proof/proposition'
import { instanceId, smallHost } from '../engine/testing/hosts'
import { demandFor, IMAGE, pinned, planOn } from '../engine/testing/instances'
import { commit } from '../store/commit/commit'
import { connectDatabase } from '../store/database/database'
import { writeDomain } from '../store/domain/domain'
import { readLeftovers } from '../store/host/facts'
import { readLeftover } from '../store/host/leftover'
import { readHost } from '../store/host/read'
import { readInstanceView } from '../store/migration/view'
import { ACTOR, AT, changeOf, newClaimId, present, putHost } from '../store/testing/records'

// A domain outlives its record and is adopted: the instance is new, and its id is not.

const database = onFreshDatabase(connectDatabase)
const domains = inProcessRecordStore()
const instance = instanceId(1)

/** Whether hosts accept a lifecycle operation of that fence. */
const accepted = async (fence: number) =>
  (await updateDomainRecord(domains, instance, (record) =>
    acceptFence(record, { migration: null, fence, generation: fence }),
  )) !== null

test('hosts accept operations of an instance that was adopted under the id of a deleted one, and none of the old one', async () => {
  const { id } = await putHost(database, smallHost({ n: 1 }))
  const remains = { do: 'note-remains', host: id, instance, migration: null, side: 'source' } as const
  expect(await commit(database, changeOf([remains]))).toMatchObject({ ok: true })
  const orders: DestroyOrder[] = []
  const records: Partial<RecordEffects> = {
    host: ({ host }) => readHost(database, host),
    instance: () => null,
    proof: ({ of }) => prove(of),
    commit: ({ change }) => commit(database, change),
    now: () => AT,
  }
  const context: ConductorContext = {
    records: records as RecordEffects,
    driverOf: async () => ({
      ...unconnected('simulated'),
      destroy: async (order) => {
        orders.push(order)
        return { did: (await accepted(order.fence)) ? 'done' : 'stale-fence' } as const
      },
    }),
    stopping: () => false,
    keepLease: () => () => {},
    onFault: () => {},
  }
  await cleanLeftovers(id, {
    context,
    owner: 'server-1',
    leftoversOf: (host) => readLeftovers(database, host),
    recordsOf: (leftover) => readLeftover(database, leftover),
    lease: async () => ({ fence: 1 }),
  })
  const [late] = orders
  const { record, version } = await domains.read(instance)
  await writeDomain(database, { instance, version: version - 1, record })
  const row = { id: instance, name: 'g1', project: 'p', flavor: pinned(1), image: IMAGE, zone: null, group: null }
  const plan = planOn(await present(database, id), demandFor(pinned(1)))
  const adoption = adopt(row, { id: newClaimId(), plan }, { actor: ACTOR, at: AT + 1 })
  expect(await commit(database, adoption)).toMatchObject({ ok: true })
  const view = await readInstanceView(database, instance)
  expect(await accepted(view?.instance.generation ?? 0)).toBe(true)
  expect(await accepted(late?.fence ?? 0)).toBe(false)
})
