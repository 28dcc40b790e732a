import type http from 'node:http'
import type { Logger } from 'pino'
import { makeAllocationQueue } from '../../fleet/allocation-queue'
import { usageReader } from '../../store/placement/usage'
import { byNoauth, byToken, type Identify, PROFILES, type Profile } from './caller/caller'
import { type KeystoneSettings, openKeystone } from './caller/keystone'
import { byKeystone } from './caller/keystone-caller'
import { keystoneSettings } from './caller/keystone-settings'
import { type CandidateSettings, candidateSettings } from './candidate/settings'
import { SummaryTexts } from './candidate/text'
import { placementResponse } from './fetch-handler'
import { placementHandler } from './handler'
import { placementServer } from './node-server'
import type { PlacementServices } from './wire'

// Creates the API from its settings; called once by wiring.ts.

export interface PlacementSettings {
  /** By Berth's tokens, by Keystone's, or (for tests on one machine) by headers. */
  readonly auth: 'token' | 'noauth2' | KeystoneSettings
  readonly profile: Profile
  readonly allowedOrigin: string | null
  readonly candidates: CandidateSettings
}

export interface PlacementApi {
  /** Below the console's port. */
  respond(request: Request): Promise<Response>
  /** At the root of its own port; the caller starts and closes it. */
  server(): http.Server
}

export interface PlacementParts extends Pick<PlacementServices, 'database' | 'forest' | 'now' | 'newId' | 'chance'> {
  readonly monotonicMs?: () => number
  readonly log: Pick<Logger, 'error'>
  readonly settings: PlacementSettings
}

export function openPlacement(parts: PlacementParts): PlacementApi {
  const { log, settings, ...services } = parts
  const handler = placementHandler({
    services: {
      ...services,
      allocations: makeAllocationQueue(services.database, services.forest),
      usages: usageReader(services.database),
      candidates: settings.candidates,
      summaries: new SummaryTexts(),
    },
    identify: identifyBy(parts),
    log,
    allowedOrigin: settings.allowedOrigin,
  })
  return {
    respond: (request) => placementResponse(request, handler),
    server: () => placementServer(handler),
  }
}

function identifyBy({ database, log, now, chance, settings: { auth, profile }, ...parts }: PlacementParts): Identify {
  const { monotonicMs = () => performance.now() } = parts
  if (auth === 'token') return byToken(database, monotonicMs)
  if (auth === 'noauth2') return byNoauth(profile)
  return byKeystone({ keystone: openKeystone(auth, { now, chance }), profile, log, now, monotonicMs })
}

const LOOPBACK: readonly (string | undefined)[] = [undefined, '', 'localhost', '127.0.0.1', '::1']

/**
 * From BERTH_PLACEMENT_AUTH, _PROFILE, _ORIGIN, OS_* for Keystone, and what `candidateSettings` reads. Throws for
 * settings that are invalid or would admit anyone.
 */
export function placementSettings(env: Readonly<Record<string, string | undefined>>): PlacementSettings {
  const auth = env.BERTH_PLACEMENT_AUTH || 'token'
  const profile = env.BERTH_PLACEMENT_PROFILE || 'default'
  if (auth !== 'token' && auth !== 'noauth2' && auth !== 'keystone') {
    throw new Error('BERTH_PLACEMENT_AUTH must be `token`, `keystone` or `noauth2`.')
  }
  if (auth === 'noauth2' && !LOOPBACK.includes(env.HOST)) {
    throw new Error(
      'BERTH_PLACEMENT_AUTH=noauth2 accepts every caller, so it works only while HOST is this machine itself.',
    )
  }
  const known = PROFILES.find((each) => each === profile)
  if (!known) throw new Error(`BERTH_PLACEMENT_PROFILE must be one of ${PROFILES.join(', ')}.`)
  return {
    auth: auth === 'keystone' ? keystoneSettings(env) : auth,
    profile: known,
    allowedOrigin: env.BERTH_PLACEMENT_ORIGIN || null,
    candidates: candidateSettings(env),
  }
}
