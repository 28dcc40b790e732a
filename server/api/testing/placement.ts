import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { ProviderForest } from '../../fleet/candidates-forest'
import type { Database } from '../../store/database/database'
import { openPlacement, type PlacementParts, placementSettings } from '../placement/opened'

export type TestPlacement = ReturnType<typeof openTestPlacement>

export const NOAUTH_ENV = { BERTH_PLACEMENT_AUTH: 'noauth2' }

/** The Placement API on its own: it trusts the role that a caller claims, and a fault of the server fails the test. */
export function openTestPlacement(database: Database, set: Partial<PlacementParts> = {}) {
  const api = openPlacement({
    ...{ database, forest: new ProviderForest(database), newId: () => randomUUID(), now: () => Date.now() },
    ...{ chance: () => 0, settings: placementSettings(NOAUTH_ENV) },
    log: { error: (entry: unknown) => expect.unreachable(String((entry as { err?: Error }).err?.stack ?? entry)) },
    ...set,
  })
  const askWith = (more: Readonly<Record<string, string>>) => async (method: string, path: string, body?: unknown) => {
    const headers = {
      ...{ accept: 'application/json', 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' },
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...more,
    }
    const isRaw = typeof body === 'string' || body instanceof Uint8Array
    const init = body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }
    const response = await api.respond(new Request(`http://berth.test/placement${path}`, { method, headers, ...init }))
    const text = await response.text()
    return { status: response.status, text, json: text === '' ? null : JSON.parse(text) }
  }
  return { ...api, ask: askWith({}), askWith }
}
