import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Connection } from 'rabbitmq-client'

// A real RabbitMQ on loopback, and notifications as Nova's oslo.messaging sends them.

const PACKAGE = '/usr/lib/rabbitmq/lib'
const START_LIMIT_MS = 60_000
const TRY_MS = { retryLow: 100, retryHigh: 500 }

/** Null: Debian's RabbitMQ is not installed. */
export const rabbitProgram = (): string | null => {
  const names = fs.existsSync(PACKAGE) ? fs.readdirSync(PACKAGE) : []
  const name = names.find((each) => each.startsWith('rabbitmq_server-'))
  return name === undefined ? null : path.join(PACKAGE, name, 'sbin/rabbitmq-server')
}

export interface MessageQueue {
  readonly url: string
  /** To the topics of both formats; `event` is Nova's event name. */
  notify(event: string): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  close(): Promise<void>
}

/** `ports`: three free ones. */
export async function startMessageQueue(program: string, ports: readonly number[]): Promise<MessageQueue> {
  const [port, erlang, mapper] = ports
  const address = `guest:guest@127.0.0.1:${port}`
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
  // Without one the first node starts it as a daemon that keeps running.
  const epmd = spawn('epmd', ['-port', String(mapper), '-address', '127.0.0.1'], { stdio: 'ignore' })
  let server: ReturnType<typeof spawn> | null = null
  const stop = async () => {
    const running = server
    if (running === null) return
    server = null
    const ended = once(running, 'exit')
    process.kill(-Number(running.pid), 'SIGTERM')
    await ended
  }
  const start = async () => {
    server = spawn(program, [], { env, detached: true, stdio: 'ignore' })
    await untilReady(address)
  }
  await start()
  return {
    url: `rabbit://${address}/`,
    notify: (event) => notify(address, event),
    ...{ start, stop },
    close: async () => {
      await stop()
      epmd.kill()
      fs.rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function notify(address: string, event: string): Promise<void> {
  const connection = new Connection(`amqp://${address}`)
  connection.on('error', () => {})
  const publisher = connection.createPublisher({ confirm: true, exchanges: [{ exchange: 'nova', type: 'topic' }] })
  const payload = { 'nova_object.name': 'InstanceUpdatePayload', 'nova_object.data': {} }
  const message = { event_type: event, publisher_id: 'nova-compute:cmp1', priority: 'INFO', payload }
  const body = Buffer.from(JSON.stringify({ 'oslo.version': '2.0', 'oslo.message': JSON.stringify(message) }))
  const envelope = { contentType: 'application/json', contentEncoding: 'utf-8' }
  for (const topic of ['versioned_notifications', 'notifications'])
    await publisher.send({ exchange: 'nova', routingKey: `${topic}.info`, ...envelope }, body)
  await publisher.close()
  await connection.close()
}

/** Retries until the client is accepted. */
async function untilReady(address: string): Promise<void> {
  const connection = new Connection({ url: `amqp://${address}`, ...TRY_MS })
  connection.on('error', () => {})
  const ready = new Promise((resolve) => connection.once('connection', resolve))
  const isReady = await Promise.race([ready.then(() => true), wait(START_LIMIT_MS, false, { ref: false })])
  connection.unsafeDestroy()
  if (!isReady) throw new Error('RabbitMQ did not start')
}
