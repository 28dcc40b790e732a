import type pg from 'pg'
import { type Attribution, type EventBody, NO_GUARDS } from '../../engine/change'
import type { ProviderId } from '../../engine/words/ids'
import { commitOn } from '../commit/commit'

export interface TrailEntry extends Attribution, Partial<Omit<EventBody, 'kind'>> {
  readonly kind: string
  /** Providers whose generation it raises. */
  readonly raises?: readonly ProviderId[]
}

/** Writes the event and the audit entry of an action that changes no records. */
export async function writeTrail(
  client: pg.PoolClient,
  { actor, at, raises = [], ...event }: TrailEntry,
): Promise<void> {
  const body = { hosts: [], instance: null, migration: null, data: {}, ...event }
  const providers = raises.map((provider) => ({ provider, generation: null }))
  const committed = await commitOn(client, { guards: { ...NO_GUARDS, providers }, writes: [], event: body, actor, at })
  if (!committed.ok) throw new Error(`An unconditional write met a conflict on ${committed.conflict.on}.`)
}
