import type { HostId, ProviderId } from '../../engine/words/ids'
import {
  createStorage,
  joinNewStorage,
  joinStorage,
  leaveStorage,
  listStorage,
  type StorageChangeResult,
} from '../../store/storage/shared-storage'
import { permitFor } from '../permit/rights'
import { hostId, instanceName, object, reason, recordId, wholeNumber } from '../procedure/inputs'
import { actorOf, admin, router, viewer } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'

// Which hosts keep the disks of their instances on shared storage.

export interface SharedStorageView {
  readonly id: string
  readonly name: string
  readonly totalGib: number
  readonly usedGib: number
  /** Ids of the hosts it serves. */
  readonly hosts: readonly string[]
}

const GIB_MAX = 1_073_741_824
const storageId = recordId('a shared storage').transform((id) => id as ProviderId)
const joinAsk = { host: hostId, storage: storageId, reason }

const made = { name: instanceName, totalGib: wholeNumber('GiB', 1, GIB_MAX) }

export const storageRouter = router({
  list: viewer.query(async ({ ctx }) => {
    const storages: readonly SharedStorageView[] = await listStorage(ctx.services.database)
    return { storages, permit: permitFor(ctx.caller, 'administer') }
  }),

  create: admin.everywhere
    .input(object({ ...made, reason }))
    .mutation(async ({ ctx, input: { name, totalGib, reason } }): Promise<{ id: string }> => {
      const { services } = ctx
      const id = services.newId() as ProviderId
      const at = services.now()
      if (await createStorage(services.database, { id, name, totalGib, actor: actorOf(ctx, reason), at })) return { id }
      return refuseName(name)
    }),

  /** Replaces the host's local disk in the inventory; refused while an instance's disk is on it. */
  join: admin.everywhere.input(object(joinAsk)).mutation(async ({ ctx, input: { reason, ...ask } }) => {
    const at = ctx.services.now()
    const answer = await joinStorage(ctx.services.database, { ...ask, actor: actorOf(ctx, reason), at })
    return answered(answer, { ...ask, at, what: 'Join shared storage', disks: 'on the host’s own disk' })
  }),

  /** Makes the storage and joins the host, or neither. */
  joinNew: admin.everywhere.input(object({ host: hostId, ...made, reason })).mutation(async ({ ctx, input }) => {
    const { reason, ...ask } = input
    const { database, newId, now } = ctx.services
    const at = now()
    const id = newId() as ProviderId
    const answer = await joinNewStorage(database, { ...ask, id, actor: actorOf(ctx, reason), at })
    if (answer.did === 'name-taken') return refuseName(ask.name)
    return answered(answer, { host: ask.host, at, what: 'Join shared storage', disks: 'on the host’s own disk' })
  }),

  /** `diskGib`: the host's local disk from then on. Refused while a disk of an instance there is on the storage. */
  leave: admin.everywhere
    .input(object({ ...joinAsk, diskGib: wholeNumber('GiB', 0, GIB_MAX) }))
    .mutation(async ({ ctx, input: { reason, ...ask } }) => {
      const at = ctx.services.now()
      const answer = await leaveStorage(ctx.services.database, { ...ask, actor: actorOf(ctx, reason), at })
      return answered(answer, { ...ask, at, what: 'Leave shared storage', disks: 'on the shared storage' })
    }),
})

function refuseName(name: string): never {
  const about = { what: `Create the shared storage ${name}`, where: name, next: 'Choose another name.' }
  refuse('changed-meanwhile', { ...about, need: 'a free name', have: 'a provider of that name' })
}

interface ChangeContext {
  readonly host: HostId
  readonly at: number
  readonly what: string
  readonly disks: string
}

function answered(answer: StorageChangeResult, { host, at, what, disks }: ChangeContext): { acceptedAt: number } {
  const about = { what, where: host, notChanged: 'Nothing was changed.' }
  if (answer.did === 'done') return { acceptedAt: at }
  if (answer.did === 'unknown') return refuseUnknown('host or shared storage', host)
  const have =
    answer.did === 'already'
      ? 'the host is already set up like that'
      : `${answer.disks} ${answer.disks === 1 ? 'disk is' : 'disks are'} ${disks}`
  const next = answer.did === 'held' ? 'Drain the host first.' : 'Nothing to do.'
  return refuse('not-permitted', { ...about, need: 'a host without disks there', have, next })
}
