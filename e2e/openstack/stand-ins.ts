import http from 'node:http'
import net from 'node:net'
import { GUEST_KERNEL } from '../libvirt/guest'
import { PORTS } from './config'

// Stand-ins for Glance (an empty image, and one that boots) and Neutron (no networks), which Nova queries before it
// boots anything; the proxy for the public endpoints, which records requests; and the gate between Nova and Placement.

export const IMAGE = '6f0a7b52-0d0c-4a3e-9c57-3a2f5d1c8e10'
const image = {
  ...{ id: IMAGE, name: 'empty', status: 'active', visibility: 'public', size: 1_048_576, owner: 'admin', tags: [] },
  ...{ container_format: 'bare', disk_format: 'raw', min_disk: 0, min_ram: 0, checksum: null, protected: false },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', schema: '/v2/schemas/image' },
}
/** Its disk is empty too, but QEMU starts its kernel. */
export const BOOTABLE = 'b3a1b8b4-7c1f-4a43-8c3e-5f0f2f7a9d21'
const KERNEL = 'c2f4d6a8-1b3d-4e5f-9a7b-0c1d2e3f4a5b'
const kernel = { ...image, id: KERNEL, name: 'kernel', size: GUEST_KERNEL.length }
const images = [
  image,
  { ...image, id: BOOTABLE, name: 'bootable', kernel_id: KERNEL },
  { ...kernel, container_format: 'aki', disk_format: 'aki' },
]
const group = {
  id: '9d0f8a54-3f0e-4f62-8f0f-6d0f4f6f0b11',
  ...{ name: 'default', description: '', project_id: 'admin', tenant_id: 'admin', security_group_rules: [] },
}

function standInFor(path: string): unknown {
  const version = (id: string, href: string) => ({
    versions: [{ id, status: 'CURRENT', links: [{ rel: 'self', href: `http://127.0.0.1:${PORTS.standIns}${href}` }] }],
  })
  const [, service, ...rest] = path.replace(/\/+$/, '').split('/')
  const last = (rest.at(-1) ?? '').replace(/\.json$/, '')
  if (rest.length === 0 || last === 'versions')
    return service === 'glance' ? version('v2.9', '/glance/v2/') : version('v2.0', '/neutron/v2.0/')
  if (service === 'glance') {
    if (rest.includes('schemas'))
      return {
        name: 'image',
        properties: Object.fromEntries(Object.keys(image).map((key) => [key, { type: 'string' }])),
        additionalProperties: { type: 'string' },
      }
    return images.find(({ id }) => id === last) ?? { images, first: '', schema: '' }
  }
  return { [last.replaceAll('-', '_')]: last === 'security-groups' ? [group] : [] }
}

const listening = (server: net.Server, port: number): Promise<void> =>
  new Promise((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))

const closing = (server: http.Server) => async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

export async function startStandIns(): Promise<() => Promise<void>> {
  const server = http.createServer((request, response) => {
    const path = (request.url ?? '/').replace(/\?.*/, '')
    request.resume()
    if (path.endsWith('/file')) {
      // Nova's client parses any other content type as JSON.
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      response.end(path.includes(KERNEL) ? GUEST_KERNEL : Buffer.alloc(image.size))
      return
    }
    const isRoot = /^\/[a-z]+\/?$/.test(path)
    response.writeHead(isRoot && path.startsWith('/glance') ? 300 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(standInFor(path)))
  })
  await listening(server, PORTS.standIns)
  return closing(server)
}

const UPSTREAM_PORTS: Readonly<Record<string, number>> = {
  ...{ identity: PORTS.keystone, compute: PORTS.nova, placement: PORTS.placement },
}

/** Appends method and path of each request to `log`. */
export async function startFront(log: string[]): Promise<() => Promise<void>> {
  const server = http.createServer((request, response) => {
    // Keystone's own links contain this host, but not its path prefix here.
    const url = request.url ?? '/'
    const [, service = '', rest = '/'] = /^\/([a-z]+)(\/.*)?$/.exec(url) ?? [url, 'identity', url]
    log.push(`${request.method} ${request.url}`)
    const passed = http.request(
      {
        port: UPSTREAM_PORTS[service],
        host: '127.0.0.1',
        path: rest,
        method: request.method,
        headers: request.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    passed.once('error', () => response.destroy())
    request.pipe(passed)
  })
  await listening(server, PORTS.front)
  return closing(server)
}

/** As without network, or as behind a load balancer without backends. */
export type Shut = 'cut off' | 'answers 503'

export interface Gate {
  /** Cuts off active connections and lets nothing through until it is opened again. */
  shut(how: Shut): void
  /** Method and path of the requests since then. */
  refused(): readonly string[]
  open(): void
  close(): Promise<void>
}

function refuse(socket: net.Socket, how: Shut, refused: string[]): void {
  socket.once('error', () => socket.destroy())
  socket.once('data', (request) => {
    refused.push(String(request).split(' HTTP/')[0] ?? '')
    if (how === 'cut off') socket.destroy()
    else socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
  })
}

export async function startGate(): Promise<Gate> {
  const passing = new Set<net.Socket>()
  let shut: Shut | null = null
  let refused: string[] = []
  const endAll = () => {
    for (const socket of passing) socket.destroy()
  }
  const server = net.createServer((socket) => {
    if (shut !== null) return refuse(socket, shut, refused)
    const behind = net.connect(PORTS.placement, '127.0.0.1')
    for (const [from, to] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      passing.add(from)
      from.pipe(to)
      from.once('error', () => to.destroy())
      from.once('close', () => passing.delete(from))
    }
  })
  await listening(server, PORTS.gate)
  return {
    shut: (how) => {
      shut = how
      refused = []
      endAll()
    },
    refused: () => refused,
    open: () => {
      shut = null
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      endAll()
      await closed
    },
  }
}
