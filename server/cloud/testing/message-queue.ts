import { spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from 'rabbitmq-client'

// A real RabbitMQ on loopback, and notifications as oslo.messaging of Nova sends them to it.

const PACKAGE = '/usr/lib/rabbitmq/lib'
const START_LIMIT_MS = 60_000

/** Null: RabbitMQ of Debian is not installed. */
export const rabbitProgram = (): string | null => {
  const names = fs.existsSync(PACKAGE) ? fs.readdirSync(PACKAGE) : []
  const name = names.find((each) => each.startsWith('rabbitmq_server-'))
  return name === undefined ? null : path.join(PACKAGE, name, 'sbin/rabbitmq-server')
}

export interface MessageQueue {
  readonly url: string
  /** To the topics of both formats; `event` is Nova's name of what happened. */
  notify(event: string): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  close(): Promise<void>
}

export async function startMessageQueue(program: string): Promise<MessageQueue> {
  const [port, erlang, mapper] = await freePorts(3)
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'queue-'))
  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text)
  write('rabbitmq.conf', `listeners.tcp.1 = 127.0.0.1:${port}\ndisk_free_limit.absolute = 50MB\n`)
  write('advanced.config', '[{kernel,[{inet_dist_use_interface,{127,0,0,1}}]}].\n')
  write('enabled_plugins', '[].\n')
  const env = {
    ...process.env,
    ...{ HOME: folder, RABBITMQ_NODENAME: `berth${port}@localhost`, RABBITMQ_MNESIA_BASE: `${folder}/data` },
    ...{ RABBITMQ_LOG_BASE: `${folder}/log`, RABBITMQ_CONFIG_FILE: `${folder}/rabbitmq` },
    RABBITMQ_ADVANCED_CONFIG_FILE: `${folder}/advanced.config`,
    RABBITMQ_ENABLED_PLUGINS_FILE: `${folder}/enabled_plugins`,
    ...{ RABBITMQ_DIST_PORT: String(erlang), RABBITMQ_PID_FILE: `${folder}/pid`, RABBITMQ_NODE_PORT: '' },
    ...{ ERL_EPMD_ADDRESS: '127.0.0.1', ERL_EPMD_PORT: String(mapper) },
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+S 1:1 +sbwt none',
  }
  // Without one the first node starts it as a daemon that stays.
  const epmd = spawn('epmd', ['-port', String(mapper), '-address', '127.0.0.1'], { stdio: 'ignore' })
  let server: ReturnType<typeof spawn> | null = null
  const stop = async () => {
    const running = server
    if (running === null) return
    server = null
    const ended = new Promise((resolve) => running.once('exit', resolve))
    process.kill(-Number(running.pid), 'SIGTERM')
    await ended
  }
  const start = async () => {
    server = spawn(program, [], { env, detached: true, stdio: 'ignore' })
    await untilOpen(Number(port))
  }
  await start()
  return {
    url: `rabbit://guest:guest@127.0.0.1:${port}/`,
    notify: (event) => notify(Number(port), event),
    ...{ start, stop },
    close: async () => {
      await stop()
      epmd.kill()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function notify(port: number, event: string): Promise<void> {
  const connection = new Connection(`amqp://guest:guest@127.0.0.1:${port}`)
  connection.on('error', () => {})
  const publisher = connection.createPublisher({ confirm: true, exchanges: [{ exchange: 'nova', type: 'topic' }] })
  const payload = { 'nova_object.name': 'InstanceUpdatePayload', 'nova_object.data': {} }
  const said = { event_type: event, publisher_id: 'nova-compute:cmp1', priority: 'INFO', payload }
  const body = Buffer.from(JSON.stringify({ 'oslo.version': '2.0', 'oslo.message': JSON.stringify(said) }))
  const envelope = { contentType: 'application/json', contentEncoding: 'utf-8' }
  for (const topic of ['versioned_notifications', 'notifications'])
    await publisher.send({ exchange: 'nova', routingKey: `${topic}.info`, ...envelope }, body)
  await publisher.close()
  await connection.close()
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<net.Server>((resolve) => {
          const server = net.createServer().listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

async function untilOpen(port: number): Promise<void> {
  for (const until = Date.now() + START_LIMIT_MS; Date.now() < until; await wait(100)) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('close', () => socket.destroy())
      socket.once('connect', () => socket.end())
    })
    if (isOpen) return
  }
  throw new Error('RabbitMQ did not start')
}
