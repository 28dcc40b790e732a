import { setImmediate as nextTurn } from 'node:timers/promises'
import { readPartOfEach, readParts, readPartVersions } from '../store/cloud/part'
import type { Database } from '../store/database/database'
import { type CloudState, META, readPart, readStatus, STATUS, stateOf, steadySinceIn } from './parts'
import type { CloudStatus } from './status'

// The stored state of clouds, cached as read, so that a request costs only what changed since the last one.

export interface CachedCloud {
  /** Null: reading was never tried. */
  readonly status: CloudStatus | null
  /** Null: nothing of it was read yet. */
  readonly state: CloudState | null
}

interface CacheEntry {
  readonly versions: Map<string, number>
  readonly parts: Map<string, unknown>
  status: CloudStatus | null
  state: CloudState | null
}

export interface CloudCache {
  /** The state at a moment after the call. */
  read(): Promise<ReadonlyMap<string, CachedCloud>>
}

export function makeCloudCache(database: Database): CloudCache {
  const clouds = new Map<string, CacheEntry>()
  let running: Promise<void> | null = null
  let next: Promise<void> | null = null
  // A caller that arrives while the versions are read could miss a later write, so it gets the next reading.
  const refreshed = (): Promise<void> => {
    if (running === null) {
      running = refresh(database, clouds).finally(() => {
        running = null
      })
      return running
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = null
        return refreshed()
      })
    return next
  }
  return {
    read: async () => {
      await refreshed()
      return clouds
    },
  }
}

/** Without the parts, which are large: those that were never read are left out. */
export async function readStatuses(
  database: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, CloudStatus>> {
  const statuses = new Map<string, CloudStatus>()
  for (const [id, text] of await readPartOfEach(database, ids, STATUS)) {
    const status = readStatus(text)
    if (status) statuses.set(id, status)
  }
  return statuses
}

/** What a server must know of the earlier polls of a cloud before it polls it. */
export async function readEarlierPolls(
  database: Database,
  id: string,
): Promise<{ readonly status: CloudStatus | null; readonly steadySince: number | null }> {
  const parts = new Map((await readParts(database, id, [STATUS, META])).map(({ part, text }) => [part, text]))
  return {
    status: readStatus(parts.get(STATUS) ?? null),
    steadySince: steadySinceIn(readPart(META, parts.get(META) ?? null)),
  }
}

async function refresh(database: Database, clouds: Map<string, CacheEntry>): Promise<void> {
  const stored = new Map<string, Map<string, number>>()
  for (const { cloud, part, version } of await readPartVersions(database))
    stored.set(cloud, (stored.get(cloud) ?? new Map()).set(part, version))
  for (const id of clouds.keys()) if (!stored.has(id)) clouds.delete(id)
  for (const [id, versions] of stored) {
    const known = clouds.get(id) ?? { versions: new Map(), parts: new Map(), status: null, state: null }
    clouds.set(id, known)
    await refreshCloud(database, { id, versions, known })
  }
}

interface RefreshInput {
  readonly id: string
  readonly versions: ReadonlyMap<string, number>
  readonly known: CacheEntry
}

async function refreshCloud(database: Database, { id, versions, known }: RefreshInput): Promise<void> {
  const gone = [...known.versions.keys()].filter((part) => !versions.has(part))
  const changed = [...versions].filter(([part, version]) => known.versions.get(part) !== version).map(([part]) => part)
  if (gone.length === 0 && changed.length === 0) return
  for (const part of gone) {
    known.versions.delete(part)
    known.parts.delete(part)
  }
  for (const { part, version, text } of changed.length > 0 ? await readParts(database, id, changed) : []) {
    known.versions.set(part, version)
    if (part === STATUS) known.status = readStatus(text)
    else known.parts.set(part, readPart(part, text))
    await nextTurn()
  }
  if ([...gone, ...changed].some((part) => part !== STATUS)) known.state = stateOf(known.parts)
}
