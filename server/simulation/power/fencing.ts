import { type Change, NO_GUARDS, rootGuard } from '../../engine/change'
import type { Host, HostScheduling, HostStatus } from '../../engine/host'
import { accept } from '../../engine/migration/accept'
import type { HostId } from '../../engine/words/ids'
import type { PowerRun } from './run'

// Operator actions in a run: a host is marked as fenced and its instances are evacuated; later it comes back and is
// cleaned up. The power changes before the status both times: a false status is an operator error, not a fault to test.

const WHO = { who: 'somebody', request: null, reason: 'simulation' } as const
/** A fleet without hosts tests nothing more. */
const MIN_UP_HOSTS = 2

export async function fenceOne({ fixture, chance, counts }: PowerRun): Promise<void> {
  const { hosts } = await fixture.snapshot()
  const up = hosts.filter(({ status }) => status === 'up')
  const host = up.length > MIN_UP_HOSTS ? chance.pick(up) : undefined
  if (host === undefined) return
  counts.powerCycles += 1
  await fixture.fleet.setFault(host.id, { do: 'fence' })
  if (!(await fixture.commit(statement(host, { status: 'fenced' }, fixture.now())))) return
  counts.fences += 1
  await evacuate({ fixture, chance, counts }, host.id)
}

async function evacuate({ fixture, counts }: PowerRun, host: HostId): Promise<void> {
  for (const { id } of (await fixture.snapshot()).instances.filter((row) => row.host === host)) {
    const view = await fixture.instance(id)
    if (view === null) continue
    const request = { operation: 'evacuate', target: null, newFlavor: null, newImage: null } as const
    const terms = { sameDemand: () => true, confirmWindowMs: null, actor: WHO, at: fixture.now() }
    const accepted = accept(view, request, { ...terms, id: fixture.newMigration() })
    if (!accepted.ok || !(await fixture.commit(accepted.change))) continue
    counts.migrations += 1
    counts.evacuations += 1
  }
}

/** Returns one fenced host, or all. A host with leftovers stays quarantined until the conductor has cleaned it up. */
export async function returnFenced({ fixture, chance }: PowerRun, all = false): Promise<void> {
  const fenced = (await fixture.snapshot()).hosts.filter(({ status }) => status === 'fenced')
  const some = all ? fenced : [chance.pick(fenced)].filter((host) => host !== undefined)
  for (const host of some) {
    await fixture.fleet.setFault(host.id, { do: 'return' })
    const scheduling = host.leftovers.length > 0 ? ({ scheduling: 'quarantined' } as const) : {}
    await fixture.commit(statement(host, { status: 'up', ...scheduling }, fixture.now()))
  }
}

type HostStatusUpdate = { readonly status: HostStatus; readonly scheduling?: HostScheduling }

function statement(host: Host, set: HostStatusUpdate, at: number): Change {
  const { id } = host
  return {
    guards: { ...NO_GUARDS, providers: rootGuard(host) },
    writes: [{ do: 'set-host', id, set }],
    event: { kind: 'host.status', hosts: [id], instance: null, migration: null, data: { ...set } },
    actor: WHO,
    at,
  }
}
