import { CloudError } from '../cloud/http/errors'
import { openTransport, type Transport } from '../cloud/http/transport'
import type { TlsSettings } from '../cloud/settings/cloud-settings'
import { type Entry, isEntry } from '../cloud/settings/clouds-file'
import type { Secret } from '../cloud/settings/secret'
import type { PowerReading } from '../engine/fencing/fencing'
import type { FencingMethod, OrderAnswer } from './method'

// A host's management controller, by DMTF's Redfish (DSP0266): ComputerSystem has PowerState, and its action Reset with
// ForceOff powers it off. Every request authenticates (Basic), so that a server that dies leaves no session behind.

export interface RedfishSettings {
  /** Scheme and authority, without a path. */
  readonly address: string
  /** The member of /redfish/v1/Systems; null: its only one. */
  readonly system: string | null
  readonly username: string
  readonly password: Secret
  readonly tls: TlsSettings
  readonly deadlineMs: number
}

const SYSTEMS = '/redfish/v1/Systems'
const FORCE_OFF = 'ForceOff'
/** Upper bound for one request; controllers are slow. */
const REQUEST_MS = 15_000

export function redfishMethod(settings: RedfishSettings): FencingMethod {
  const { address, deadlineMs } = settings
  return {
    ...{ kind: 'redfish', where: address, deadlineMs },
    readPower: () => withController(settings, readPower, unread),
    orderOff: () => withController(settings, orderOff, unordered),
  }
}

type Send = (method: 'GET' | 'POST', path: string, body?: object) => Promise<{ status: number; body: unknown }>

/** The answer is not Redfish. */
class NotRedfish extends Error {}

async function withController<T>(
  settings: RedfishSettings,
  work: (send: Send, settings: RedfishSettings) => Promise<T>,
  failed: (says: string, status: number | null) => T,
): Promise<T> {
  let transport: Transport | null = null
  try {
    transport = await openTransport(settings.tls)
    return await work(senderOf(transport, settings), settings)
  } catch (error) {
    // A controller may echo what was sent to it.
    if (error instanceof CloudError) return failed(withoutSecrets(error.message, settings), error.status)
    if (error instanceof NotRedfish) return failed(error.message, 0)
    // A certificate file that cannot be read or is not valid.
    return failed(`not reached: ${(error as NodeJS.ErrnoException).code ?? 'its TLS settings are not usable'}`, 0)
  } finally {
    await transport?.close()
  }
}

const credentialsOf = ({ username, password }: RedfishSettings) =>
  Buffer.from(`${username}:${password.reveal()}`).toString('base64')

const withoutSecrets = (text: string, settings: RedfishSettings) =>
  [credentialsOf(settings), settings.password.reveal()].reduce(
    (left, secret) => left.replaceAll(secret, '[secret]'),
    text,
  )

function senderOf(transport: Transport, settings: RedfishSettings): Send {
  const { address, deadlineMs } = settings
  const authorization = `Basic ${credentialsOf(settings)}`
  return (method, path, body) =>
    transport.exchange({
      ...{ call: { service: 'redfish', method, path }, url: `${address}${path}` },
      headers: {
        authorization,
        accept: 'application/json',
        'content-type': 'application/json',
        'odata-version': '4.0',
      },
      ...(body && { body: JSON.stringify(body) }),
      deadlineMs: Math.min(deadlineMs, REQUEST_MS),
    })
}

/** Wrong credentials, or an account without the right: repeated attempts may lock it. */
const isDenied = (status: number | null) => status === 401 || status === 403

const unread = (detail: string, status: number | null): PowerReading => ({
  ...{ power: 'unknown', detail },
  ...(isDenied(status) && { denied: true }),
})

/** Without an answer, or after a server error, the power may have been cut. */
const unordered = (detail: string, status: number | null): OrderAnswer => ({
  accepted: status === null || status >= 500 ? null : false,
  detail,
})

async function systemOf(send: Send, { system }: RedfishSettings): Promise<Entry> {
  const path = system === null ? await onlySystem(send) : `${SYSTEMS}/${encodeURIComponent(system)}`
  const { body } = await send('GET', path)
  if (isEntry(body)) return body
  throw new NotRedfish(`${path} is no system of Redfish`)
}

async function onlySystem(send: Send): Promise<string> {
  const { body } = await send('GET', SYSTEMS)
  const members = isEntry(body) && Array.isArray(body.Members) ? body.Members : []
  const paths = members.flatMap((member) => (isEntry(member) ? (pathOf(member['@odata.id']) ?? []) : []))
  const [path, ...more] = paths
  if (path !== undefined && more.length === 0) return path
  throw new NotRedfish(`${SYSTEMS} has ${paths.length} systems; name one of them as \`system\``)
}

/** Only a path on the same controller: an answer must not send the password elsewhere. */
function pathOf(value: unknown): string | null {
  return typeof value === 'string' && /^\/redfish\/v1\/[\w\-./~%:]+$/.test(value) && !value.includes('..')
    ? value
    : null
}

async function readPower(send: Send, settings: RedfishSettings): Promise<PowerReading> {
  const { PowerState: state } = await systemOf(send, settings)
  if (typeof state !== 'string') return { power: 'unknown', detail: 'it does not say its power state' }
  // PoweringOff, PoweringOn and Paused still have power.
  return { power: state === 'Off' ? 'off' : 'on', detail: `power state ${state.slice(0, 40)}` }
}

async function orderOff(send: Send, settings: RedfishSettings): Promise<OrderAnswer> {
  const { Actions: actions } = await systemOf(send, settings)
  const reset = isEntry(actions) ? actions['#ComputerSystem.Reset'] : null
  const target = isEntry(reset) ? pathOf(reset.target) : null
  if (!isEntry(reset) || target === null) return { accepted: false, detail: 'it offers no action Reset' }
  const offered = reset['ResetType@Redfish.AllowableValues']
  if (Array.isArray(offered) && !offered.includes(FORCE_OFF))
    return { accepted: false, detail: `it offers no ${FORCE_OFF}` }
  const { status } = await send('POST', target, { ResetType: FORCE_OFF })
  return { accepted: true, detail: `${FORCE_OFF} answered ${status}` }
}
