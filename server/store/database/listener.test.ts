import net from 'node:net'
import { expect, test, vi } from 'vitest'
import { onFreshDatabase, openClient } from '../../boot/on-fresh-database'
import { Listener } from './listener'

const database = onFreshDatabase(openClient)

test('a listener leaves a database that hangs, and connects again', async () => {
  const sockets: net.Socket[] = []
  const hung = net.createServer((socket) => void sockets.push(socket))
  await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve))
  const { port } = hung.address() as net.AddressInfo
  const failures: unknown[] = []
  const listener = new Listener(`postgresql://berth@127.0.0.1:${port}/berth`, {
    ...{ channel: 'x', onNotify: () => {}, connectMs: 50 },
    onFailure: (error) => failures.push(error),
  })
  await vi.waitFor(() => expect(sockets.length).toBeGreaterThan(1), { timeout: 10_000 })
  expect(failures.length).toBeGreaterThan(0)
  await listener.stop()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => hung.close(resolve))
})

test('a notification is passed on', async () => {
  let notified = 0
  const { client } = database
  const listener = new Listener(database.url, { channel: 'x', onNotify: () => notified++, onFailure: () => {} })
  await vi.waitFor(() => expect(notified).toBe(1)) // it is connected
  await client.query('notify x')
  await vi.waitFor(() => expect(notified).toBe(2))
  await listener.stop()
})
