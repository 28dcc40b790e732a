import type pg from 'pg'
import type { Actor, EventBody } from '../../engine/books'
import { commitOn } from '../commit/commit'

export interface TrailEntry extends Partial<Omit<EventBody, 'kind'>> {
  readonly kind: string
  readonly actor: Actor
  readonly at: number
}

/** The trail of an action that changes no records: its event, and the audit entry of its requester. */
export async function writeTrail(client: pg.PoolClient, { actor, at, ...event }: TrailEntry): Promise<void> {
  const body = { hosts: [], instance: null, migration: null, data: {}, ...event }
  const guards = { providers: [], instance: null, migration: null, group: null }
  const landed = await commitOn(client, { guards, writes: [], event: body, actor, at })
  if (!landed.ok) throw new Error(`An unconditional write met a conflict on ${landed.conflict.on}.`)
}
