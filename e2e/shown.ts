import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { type Host, workADay } from './day'
import { ask, tell } from './doors'
import type { Person } from './people'
import { registerTree, tokenOf } from './placement'

// What the pictures are of: one thing of each noun. What a fleet does not have of itself is made first.

/** Nothing has it: on an empty fleet every page of one thing shows that there is none. */
export const NOTHING = '00000000-0000-0000-0000-000000000000'
/** May look, and may do nothing. */
export const LOOKS_ON: Person = { username: 'looks.on', password: 'opens-the-e2e-fleet' }

export interface Ids {
  readonly host: string
  /** Another one, stated to be down. */
  readonly lost: string
  readonly instance: string
  readonly migration: string
  /** A move that waits for a person. */
  readonly waiting: string
  readonly ended: string
  /** A drain that is planned and never started. */
  readonly run: string
  readonly finding: string
  /** A heal that is planned and never applied. */
  readonly heal: string
  /** A provider tree of another client. */
  readonly tree: string
}

const BUSIEST = { order: [{ by: 'instances', dir: 'desc' }] }

type Rows = { readonly rows: readonly { readonly id: string }[] }

export async function idsOf(door: APIRequestContext, port: number): Promise<Ids> {
  const [busiest, next] = (await ask<{ rows: readonly Host[] }>(door, 'host.list', BUSIEST)).rows
  if (busiest) await workADay(door, port, busiest)
  const all = async (list: string, input: object) => (await ask<Rows>(door, list, input)).rows.map(({ id }) => id)
  const first = async (list: string, input: object) => (await all(list, input))[0] ?? NOTHING
  const [host, lost] = [busiest?.id ?? NOTHING, next?.id ?? NOTHING]
  const tree = host === NOTHING ? NOTHING : await treeOf(door, port)
  await tell(door, 'finding.audit', {})
  const findings = await all('finding.list', {})
  return {
    host,
    lost: lost === NOTHING ? lost : await stateDown(door, lost),
    instance: await first('instance.list', {}),
    migration: await first('migration.list', { view: 'flight' }),
    waiting: await first('migration.list', { view: 'waiting' }),
    ended: await first('migration.list', { view: 'history' }),
    run: host === NOTHING ? NOTHING : await drainOf(door, host),
    finding: findings[0] ?? NOTHING,
    heal: await healOf(door, findings),
    tree,
  }
}

async function stateDown(door: APIRequestContext, host: string): Promise<string> {
  await tell(door, 'host.setStatus', { id: host, status: 'down', reason: 'a picture' })
  return host
}

async function drainOf(door: APIRequestContext, host: string): Promise<string> {
  const wish = { kind: 'drain', host, fallback: 'cold', helpers: true, reason: 'a picture' }
  return (await tell<{ run: string }>(door, 'run.plan', wish)).run
}

/** Of the first finding that has a heal. */
async function healOf(door: APIRequestContext, findings: readonly string[]): Promise<string> {
  for (const finding of findings) {
    const made = await tell<{ plan: string }>(door, 'heal.plan', { findings: [finding] }).catch(() => null)
    if (made) return made.plan
  }
  return NOTHING
}

async function treeOf(door: APIRequestContext, port: number): Promise<string> {
  const [root, guest, move] = [randomUUID(), randomUUID(), randomUUID()]
  await registerTree(door, await tokenOf(port, 'pictures'), { name: 'compute-114.rack-7', root, guest, move })
  return root
}
