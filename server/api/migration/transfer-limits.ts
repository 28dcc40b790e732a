import { type TransferLimits, transferLimits } from '@/forms/transfer-limits'
import { NO_GUARDS } from '../../engine/change'
import type { Migration } from '../../engine/migration/state'
import type { HostId, InstanceId } from '../../engine/words/ids'
import { readMigrations } from '../../store/migration/list'
import { migrationPlaces } from '../permit/permits'
import { type Permit, permitOn, type Rights } from '../permit/rights'
import { commitWithRetry } from '../procedure/commit'
import { migrationId, reason } from '../procedure/inputs'
import { actorOf, operator } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'

// The bandwidth and the downtime of one live migration, changed while it runs. Simulated transfers cannot be limited.

export interface MemoryMeasurement {
  readonly dirtyBytesPerS: number
  /** Of the hypervisor's process; null: not reported. */
  readonly residentBytes: number | null
}

type MigrationRef = Pick<Migration, 'id' | 'instance' | 'target'>

export interface TransferControl {
  /** The limits of migrations to this host; null: it is no real one. */
  policyTo(target: HostId): Promise<TransferLimits | null>
  /** Has the hypervisor sample the guest's memory, which takes seconds; otherwise says why there is no figure. */
  measure(of: { readonly host: HostId; readonly instance: InstanceId }): Promise<MemoryMeasurement | { why: string }>
  /** Its present limits; null: it has no transfer whose limits can be changed. */
  limitsOf(migration: MigrationRef): Promise<TransferLimits | null>
  /** False when it ended in the meantime. */
  limit(migration: MigrationRef, limits: TransferLimits): Promise<boolean>
}

export interface TransferLimitsView {
  readonly now: TransferLimits
  readonly permit: Permit
}

/** Null when it cannot be limited now. */
export async function transferLimitsOf(
  { transfers, fleet }: Pick<ApiServices, 'transfers' | 'fleet'>,
  migration: Migration,
  rights: Rights,
): Promise<TransferLimitsView | null> {
  const { operation, step, handedOver } = migration
  if (operation !== 'live-migrate' || step !== 'transfer' || handedOver) return null
  const now = await transfers.limitsOf(migration)
  return (
    now && {
      now,
      permit: permitOn(
        rights,
        'operate',
        migrationPlaces(migration, (id) => fleet.host(id)),
      ),
    }
  )
}

export const limitTransfer = operator
  .on(transferLimits.extend({ id: migrationId, reason }), ({ id }) => [{ of: 'migration', id }])
  .mutation(async ({ ctx, input: { id, reason, ...limits } }): Promise<{ acceptedAt: number }> => {
    const { services, caller } = ctx
    const about = { what: 'Change the transfer limits', where: id, notChanged: 'The migration continues unchanged.' }
    const refuseEnded = () => {
      const need = 'in the transfer step of a live migration to a real host'
      return refuse('wrong-state', { ...about, need, have: 'in another step' })
    }
    const [found] = await readMigrations(services.database, [id])
    if (!found) return refuseUnknown('migration', id)
    const { migration } = found
    const before = (await transferLimitsOf(services, migration, caller)) ?? refuseEnded()
    const at = services.now()
    const { acceptedAt } = await commitWithRetry(services, async () => ({
      change: {
        guards: NO_GUARDS,
        writes: [],
        event: {
          ...{ kind: 'migration.limited', instance: migration.instance, migration: id },
          hosts: [migration.source, migration.target].flatMap((host) => host ?? []),
          data: { limits, was: before.now },
        },
        ...{ actor: actorOf(ctx, reason), at },
      },
      about,
      answer: { acceptedAt: at },
    }))
    return (await services.transfers.limit(migration, limits)) ? { acceptedAt } : refuseEnded()
  })
