import type { Client, Owner } from '../../engine/words/owner'
import { timeText } from '../commit/change-row'
import type { Database } from '../database/database'
import { call, type WriteResult } from './refused'

// Consumers of other clients: their owner, and the only permitted way to release them.

export interface ForeignConsumer {
  readonly id: string
  /** `unknown` when its client gave none. */
  readonly type: string
  readonly project: string
  readonly user: string
  readonly generation: number
  readonly owner: Owner
  /** `host`: of Berth, whose provider it is. */
  readonly amounts: readonly {
    readonly provider: string
    readonly providerName: string
    readonly host: string | null
    readonly resourceClass: string
    readonly amount: number
  }[]
}

/** Owner of the consumer `c`, with time and request of its last write. */
export const OWNER_JSON = `json_build_object('kind', c.owner_kind, 'id', c.owner_id, 'name', c.owner_name,
  'at', ms(c.written_at), 'request', c.written_request)`

/** Null when there is no such consumer, or it is Berth's. */
export async function readForeignConsumer({ pool }: Database, id: string): Promise<ForeignConsumer | null> {
  const { rows } = await pool.query<ForeignConsumer>({
    name: 'foreign-consumer',
    text: `select c.id, c.type, c.project, c."user", c.generation::float8 as generation,
        ${OWNER_JSON} as owner,
        (select coalesce(json_agg(json_build_object('provider', p.id, 'providerName', p.name, 'host', h.id,
            'resourceClass', a.resource_class, 'amount', a.amount) order by p.name, a.resource_class), '[]')
          from allocation a join resource_provider p on p.id = a.provider_id left join host h on h.id = p.root_id
          where a.consumer_id = c.id) as amounts
      from consumer c where c.id = $1 and c.owner_kind <> 'berth'`,
    values: [id],
  })
  return rows[0] ?? null
}

export interface ForeignRelease {
  readonly consumer: string
  /** The generation that was shown, so that a later write of its owner is not released unseen. */
  readonly generation: number
  /** Its last write that was shown: a consumer that is deleted and created again has its first generation again. */
  readonly writtenAt: number | null
  readonly who: string
  readonly request: string | null
  readonly reason: string
}

/** Deletes all that another owner's consumer holds, with an event and an audit entry that say what it was and whose. */
export function releaseForeign(database: Database, release: ForeignRelease): Promise<WriteResult<Client>> {
  const writtenAt = release.writtenAt === null ? null : timeText(release.writtenAt)
  return call(database, 'placement_release_foreign', { ...release, writtenAt })
}
