import { setTimeout as wait } from 'node:timers/promises'
import { openCloud } from '../cloud/client'
import { openTransport } from '../cloud/http/transport'
import type { CloudSettings } from '../cloud/settings/cloud-settings'
import type { CloudAccess } from './apply'

// Cached access to clouds for actions: one action is often followed by another, and a new token costs Keystone and each
// service that checks it more than all reads before a call.

const RATE = 20
const IDLE_TIMEOUT_MS = 300_000

interface CachedAccess {
  /** Fingerprint of the settings; changed settings need new access. */
  readonly of: string
  readonly access: Promise<CloudAccess>
  readonly ending: NodeJS.Timeout
  users: number
}

export interface AccessRequest {
  readonly cloud: string
  /** Fingerprint of its settings and secret. */
  readonly of: string
  readonly settings: CloudSettings
}

export class CloudAccesses {
  readonly #kept = new Map<string, CachedAccess>()

  async during<T>(request: AccessRequest, work: (access: CloudAccess) => Promise<T>): Promise<T> {
    const kept = this.#open(request)
    kept.users++
    try {
      return await work(await kept.access)
    } finally {
      kept.users--
      kept.ending.refresh()
    }
  }

  #open({ cloud, of, settings }: AccessRequest): CachedAccess {
    const known = this.#kept.get(cloud)
    if (known?.of === of) return known
    const access = openAccess(settings)
    const kept: CachedAccess = {
      of,
      access,
      users: 0,
      ending: setTimeout(() => this.#end(cloud, kept), IDLE_TIMEOUT_MS).unref(),
    }
    // A failed attempt is retried next time; the caller gets the error.
    access.catch(() => this.#forget(cloud, kept))
    this.#kept.set(cloud, kept)
    return kept
  }

  #end(cloud: string, kept: CachedAccess): void {
    if (kept.users > 0) return void kept.ending.refresh()
    this.#forget(cloud, kept)
    void kept.access.then(({ client, transport }) => Promise.all([client.close(), transport.close()]))
  }

  #forget(cloud: string, kept: CachedAccess): void {
    clearTimeout(kept.ending)
    if (this.#kept.get(cloud) === kept) this.#kept.delete(cloud)
  }
}

const openAccess = async (settings: CloudSettings): Promise<CloudAccess> => ({
  client: await openCloud(settings, { requestsPerSecond: RATE }),
  transport: await openTransport(settings.tls),
  wait,
})
