import type { Change, ChangeResult } from '../engine/change'
import { requestPower } from '../engine/power/request'
import { ranHere } from '../engine/power/returned'
import type { HostId, InstanceId } from '../engine/words/ids'
import type { Database } from '../store/database/database'
import { readInstanceView } from '../store/migration/view'
import { readHostsThatResume, readStoppedInstances } from '../store/power/stopped-instances'

// The rule of a host: instances that ran there before are started automatically once the host is back. Off by default.
// It requests one start per instance; a failed start is left to an operator. The request and its note are one change.

export interface HostReturnParts {
  readonly database: Database
  commit(change: Change): Promise<ChangeResult>
  now(): number
}

/** Requests a start of every instance that a rule covers, and returns their ids. Runs after each survey. */
export async function resumeByRules(parts: HostReturnParts): Promise<readonly InstanceId[]> {
  const { database } = parts
  const resuming = await readHostsThatResume(database)
  if (resuming.size === 0) return []
  const off = await readStoppedInstances(database, null)
  const due = off.filter((instance) => resuming.has(instance.host) && !instance.asked && ranHere(instance))
  const asked: InstanceId[] = []
  for (const { instance, host } of due) if (await start(parts, instance.id, host)) asked.push(instance.id)
  return asked
}

async function start({ database, commit, now }: HostReturnParts, id: InstanceId, host: HostId): Promise<boolean> {
  const view = await readInstanceView(database, id)
  if (view === null || !ranHere(view)) return false
  const actor = {
    who: 'host rule',
    request: `host rule ${host}`,
    reason: 'its host is back: start instances that ran there before',
  }
  const accepted = requestPower(view, { action: 'start', byRule: true }, { actor, at: now() })
  if (!accepted.ok || accepted.change === null) return false
  return (await commit(accepted.change)).ok
}
