import net from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { type RpcChannel, rpcChannel } from './channel'
import { encodeFrame, type Frame, frameReader } from './frames'
import { KEEPALIVE_PROGRAM, PROCEDURES, REMOTE_PROGRAM, remoteError } from './protocol'

// The test plays the peer, byte by byte, and sends what no healthy daemon sends. e2e/libvirt tests a real one.

interface Wire {
  readonly channel: RpcChannel
  /** The next frame that the channel sent. */
  next(): Promise<Frame>
  send(frame: Partial<Frame>): void
  sendBytes(bytes: Uint8Array): void
  end(): void
  readonly messages: readonly Frame[]
}

const PONG = 2
const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

async function wire(limits: { callLimitMs?: number; pingEveryMs?: number } = {}): Promise<Wire> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const near = net.connect((server.address() as net.AddressInfo).port, '127.0.0.1')
  const far = await new Promise<net.Socket>((resolve) => server.once('connection', resolve))
  server.close()
  const sent = new PassThrough({ objectMode: true })
  const read = frameReader()
  far.on('data', (chunk: Buffer) => {
    for (const frame of read(chunk)) sent.write(frame)
  })
  const messages: Frame[] = []
  const channel = rpcChannel(near, {
    callLimitMs: 60_000,
    pingEveryMs: 60_000,
    ...limits,
    onMessage: (frame) => messages.push(frame),
  })
  open.push(() => {
    channel.close()
    far.destroy()
  })
  const head = { program: REMOTE_PROGRAM, version: 1, procedure: 59, type: 1, serial: 1, status: 0 }
  return {
    channel,
    messages,
    next: async () => {
      for (;;) {
        const frame = sent.read() as Frame | null
        if (frame) return frame
        await new Promise((resolve) => sent.once('readable', resolve))
      }
    },
    send: (frame) => far.write(encodeFrame({ ...head, payload: new Uint8Array(), ...frame })),
    sendBytes: (bytes) => far.write(bytes),
    end: () => far.end(),
  }
}

const HOSTNAME = PROCEDURES.connectGetHostname
const hostname = (name: string) => HOSTNAME.reply.encode({ hostname: name })
const refusal = remoteError.encode({
  ...{ code: 42, domain: 10, message: 'Domain not found', level: 2, dom: null, str1: null, str2: null, str3: null },
  ...{ int1: -1, int2: -1, net: null },
})

describe('calls on one connection', () => {
  it('match their responses by serial, in any order', async () => {
    const { channel, next, send } = await wire()
    const first = channel.call(HOSTNAME, undefined)
    const second = channel.call(HOSTNAME, undefined)
    expect([(await next()).serial, (await next()).serial]).toEqual([1, 2])
    send({ serial: 2, payload: hostname('two') })
    send({ serial: 9, payload: hostname('nobody') })
    send({ serial: 1, payload: hostname('one') })
    expect(await Promise.all([first, second])).toEqual([{ hostname: 'one' }, { hostname: 'two' }])
  })

  it('keep the error number of libvirt, and the connection stays open', async () => {
    const { channel, send } = await wire()
    const refused = expect(channel.call(HOSTNAME, undefined)).rejects.toMatchObject({
      kind: 'refused',
      code: 42,
      message: 'Domain not found',
    })
    send({ status: 1, payload: refusal })
    await refused
    const answered = channel.call(HOSTNAME, undefined)
    send({ serial: 2, payload: hostname('one') })
    expect(await answered).toEqual({ hostname: 'one' })
  })

  it.each([
    ['a response to another procedure', { procedure: 7, payload: hostname('one') }],
    ['a truncated response', { payload: hostname('one').subarray(0, 6) }],
    ['a response with a NUL in a string', { payload: hostname('o\u0000ne') }],
    ['a response with trailing bytes', { payload: Buffer.concat([hostname('one'), Buffer.alloc(4)]) }],
  ])('fail on %s', async (_name, frame) => {
    const { channel, send } = await wire()
    const failed = expect(channel.call(HOSTNAME, undefined)).rejects.toMatchObject({ kind: 'protocol' })
    send(frame)
    await failed
  })

  it('fail with the connection: on a malformed message, at its end, and at the deadline', async () => {
    const broken = await wire()
    const garbled = expect(broken.channel.call(HOSTNAME, undefined)).rejects.toMatchObject({ kind: 'protocol' })
    broken.sendBytes(Buffer.from('HTTP/1.1 400 Bad Request\r\n'))
    await garbled
    expect(await broken.channel.ended).toMatchObject({ kind: 'protocol' })

    const ended = await wire()
    const lost = expect(ended.channel.call(HOSTNAME, undefined)).rejects.toMatchObject({ kind: 'closed' })
    ended.end()
    await lost

    const hung = await wire({ callLimitMs: 20 })
    const both = [hung.channel.call(HOSTNAME, undefined), hung.channel.call(HOSTNAME, undefined)]
    expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await hung.channel.ended).toMatchObject({ kind: 'timed-out' })
    await expect(hung.channel.call(HOSTNAME, undefined)).rejects.toMatchObject({ kind: 'timed-out' })
  })
})

describe('an idle connection', () => {
  it('answers the pings of the daemon', async () => {
    const { next, send } = await wire()
    send({ program: KEEPALIVE_PROGRAM, procedure: 1, type: 2, serial: 0 })
    expect(await next()).toMatchObject({ program: KEEPALIVE_PROGRAM, procedure: PONG, type: 2, serial: 0 })
  })

  it('ends when the daemon answers no ping, and stays open while it does', async () => {
    const { channel, next, send } = await wire({ pingEveryMs: 20 })
    channel.keepAlive()
    for (let pings = 0; pings < 5; pings++) {
      expect(await next()).toMatchObject({ program: KEEPALIVE_PROGRAM, procedure: 1 })
      send({ program: KEEPALIVE_PROGRAM, procedure: PONG, type: 2, serial: 0 })
    }
    expect(await channel.ended).toMatchObject({ kind: 'timed-out' })
  })

  it('delivers events of the daemon', async () => {
    const { messages, send } = await wire()
    send({ procedure: 318, type: 2, serial: 0, payload: Uint8Array.of(1, 2, 3, 4) })
    await expect
      .poll(() => messages.map(({ procedure, payload }) => [procedure, ...payload]))
      .toEqual([[318, 1, 2, 3, 4]])
  })
})

it('a call that cannot be encoded fails alone, and leaves nothing behind that the end of the stream rejects', async () => {
  const { channel } = await wire()
  const args = { pages: [4], startCell: 2 ** 40, cellCount: 1, flags: 0 }
  await expect(channel.call(PROCEDURES.nodeGetFreePages, args)).rejects.toMatchObject({ kind: 'refused' })
  channel.close() // vitest fails on an unhandled rejection
  await channel.ended
})
