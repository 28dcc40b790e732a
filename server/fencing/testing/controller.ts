import { timingSafeEqual } from 'node:crypto'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

// A Redfish controller on loopback that misbehaves on demand, as real ones do. It powers the given machines off and on.

export interface ControlledMachine {
  isOn(): boolean
  powerOff(): Promise<void>
  powerOn(): Promise<void>
}

/**
 * stays-on: accepts an order and does nothing. hangs: never answers an order. denies: rejects the account. fails:
 * answers 500. silent: omits its power state. garbled: answers with HTML. slow: delays power-off. no-force-off: offers
 * only On.
 */
export type ControllerFault = 'stays-on' | 'hangs' | 'denies' | 'fails' | 'silent' | 'garbled' | 'slow' | 'no-force-off'

export interface ControllerOptions {
  readonly machines: Readonly<Record<string, ControlledMachine>>
  readonly username: string
  readonly password: string
  readonly host?: string
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer }
}

export interface Controller {
  readonly address: string
  /** Method, path and kind of reset of each request, in order. */
  readonly requests: readonly string[]
  misbehave(fault: ControllerFault | null): void
  close(): Promise<void>
}

const SLOW_MS = 1_500
const ROOT = '/redfish/v1'

interface State {
  readonly options: ControllerOptions
  readonly requests: string[]
  readonly timers: Set<NodeJS.Timeout>
  fault: ControllerFault | null
}

export async function startController(options: ControllerOptions): Promise<Controller> {
  const { tls, host = '127.0.0.1' } = options
  const state: State = { options, requests: [], timers: new Set(), fault: null }
  const answer = (request: http.IncomingMessage, response: http.ServerResponse) => {
    handle(state, request, response).catch((error: unknown) => send(response, 500, fault(String(error))))
  }
  const server = tls ? https.createServer(tls, answer) : http.createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...{ address: `${tls ? 'https' : 'http'}://${host}:${port}`, requests: state.requests },
    misbehave: (next) => {
      state.fault = next
    },
    close: async () => {
      for (const timer of state.timers) clearTimeout(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function handle(state: State, request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const { method = '', url = '' } = request
  const path = url.replace(/\/$/, '')
  if (path === '/redfish' || path === ROOT) return send(response, 200, rootOf(path))
  if (state.fault === 'denies' || !isLetIn(state.options, request.headers.authorization)) {
    state.requests.push(`${method} ${path} 401`)
    return send(response, 401, fault(`wrong credentials: ${request.headers.authorization}`))
  }
  if (method === 'POST') return reset(state, path, { request, response })
  state.requests.push(`${method} ${path}`)
  if (state.fault === 'fails') return send(response, 500, fault('the controller is restarting'))
  if (state.fault === 'garbled') return void response.writeHead(200).end('<html>')
  if (path === `${ROOT}/Systems`) return send(response, 200, systemsOf(state.options))
  const system = systemAt(state, path)
  return system ? send(response, 200, system) : send(response, 404, fault('no such resource'))
}

function isLetIn({ username, password }: ControllerOptions, header = ''): boolean {
  const [expected, found] = [`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`, header].map(
    Buffer.from,
  )
  return expected?.length === found?.length && timingSafeEqual(expected ?? Buffer.alloc(0), found ?? Buffer.alloc(0))
}

async function reset(
  state: State,
  path: string,
  { request, response }: { readonly request: http.IncomingMessage; readonly response: http.ServerResponse },
): Promise<void> {
  const body = (await json(request)) as { readonly ResetType?: string }
  state.requests.push(`POST ${path} ${body.ResetType}`)
  const [, name = ''] = /^\/redfish\/v1\/Systems\/([^/]+)\/Actions\/ComputerSystem\.Reset$/.exec(path) ?? []
  const machine = state.options.machines[decodeURIComponent(name)]
  if (!machine) return send(response, 404, fault('no such action'))
  if (state.fault === 'hangs') return
  if (state.fault === 'fails') return send(response, 500, fault('the controller is restarting'))
  if (state.fault === 'stays-on') return void response.writeHead(204).end()
  if (body.ResetType === 'On') await machine.powerOn()
  else if (body.ResetType !== 'ForceOff') return send(response, 400, fault('this kind of reset is not supported'))
  else if (state.fault === 'slow') {
    const timer = setTimeout(() => void machine.powerOff(), SLOW_MS)
    state.timers.add(timer)
  } else await machine.powerOff()
  response.writeHead(204).end()
}

function systemAt({ options, fault: wrong }: State, path: string): object | null {
  const [, name = ''] = /^\/redfish\/v1\/Systems\/([^/]+)$/.exec(path) ?? []
  const id = decodeURIComponent(name)
  const machine = options.machines[id]
  if (!machine) return null
  return {
    ...{ '@odata.id': path, '@odata.type': '#ComputerSystem.v1_13_0.ComputerSystem', Id: id, Name: id },
    ...{ SystemType: 'Physical', Status: { State: 'Enabled', Health: 'OK' } },
    ...(wrong !== 'silent' && { PowerState: machine.isOn() ? 'On' : 'Off' }),
    Actions: {
      '#ComputerSystem.Reset': {
        target: `${path}/Actions/ComputerSystem.Reset`,
        'ResetType@Redfish.AllowableValues': wrong === 'no-force-off' ? ['On'] : ['On', 'ForceOff'],
      },
    },
  }
}

function systemsOf({ machines }: ControllerOptions): object {
  const members = Object.keys(machines).map((id) => ({ '@odata.id': `${ROOT}/Systems/${encodeURIComponent(id)}` }))
  return {
    ...{ '@odata.id': `${ROOT}/Systems`, '@odata.type': '#ComputerSystemCollection.ComputerSystemCollection' },
    ...{ Name: 'Computer systems', 'Members@odata.count': members.length, Members: members },
  }
}

function rootOf(path: string): object {
  if (path === '/redfish') return { v1: `${ROOT}/` }
  return {
    ...{ '@odata.id': ROOT, '@odata.type': '#ServiceRoot.v1_9_0.ServiceRoot', Id: 'RootService', Name: 'Root service' },
    ...{ RedfishVersion: '1.11.0', Systems: { '@odata.id': `${ROOT}/Systems` } },
  }
}

const fault = (message: string) => ({ error: { code: 'Base.1.8.GeneralError', message } })

function send(response: http.ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'odata-version': '4.0' }).end(JSON.stringify(body))
}
