import type { CloudCall } from '../engine/cloud/repair'
import type { CloudClient } from './client'
import { CloudError } from './http/errors'
import type { Transport } from './http/transport'

// The only code that changes a cloud: sends the calls of a plan one by one, where the cloud may be acted on. The
// watcher's client has none of this.

/** The services of calls, by the catalog's types. */
export const SERVICES = { nova: 'compute', placement: 'placement' } as const

/** What a call sends over the wire. */
export type CloudWrite = Pick<CloudCall, 'service' | 'method' | 'path' | 'microversion' | 'body'>

export interface CallResponse {
  readonly status: number
  /** `x-openstack-request-id`, for finding it in the service's logs. */
  readonly requestId: string | null
  /** The cloud's clock when it answered; null: no Date. */
  readonly at: number | null
}

/**
 * Sends it once. A refused token did nothing, so it is renewed once; nothing else is repeated, because a call without
 * an answer may have been done.
 */
export async function sendCall(client: CloudClient, transport: Transport, call: CloudWrite): Promise<CallResponse> {
  try {
    return await once(client, transport, call)
  } catch (error) {
    if (!(error instanceof CloudError && error.status === 401)) throw error
    client.dropToken()
    return once(client, transport, call)
  }
}

async function once(client: CloudClient, transport: Transport, call: CloudWrite): Promise<CallResponse> {
  const service = SERVICES[call.service]
  const [token, endpoint] = [await client.token(), await client.endpoint(service)]
  const headers = {
    ...{ accept: 'application/json', 'x-auth-token': token.secret.reveal() },
    'openstack-api-version': `${service} ${call.microversion}`,
    ...(call.body !== null && { 'content-type': 'application/json' }),
  }
  const {
    status,
    headers: answered,
    at,
  } = await transport.exchange({
    call: { service, method: call.method, path: call.path },
    url: `${endpoint}${call.path}`,
    headers,
    deadlineMs: client.settings.deadlineMs,
    ...(call.body !== null && { body: JSON.stringify(call.body) }),
  })
  const requestId = answered['x-openstack-request-id']
  return { status, requestId: typeof requestId === 'string' ? requestId : null, at }
}
