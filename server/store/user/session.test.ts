import net from 'node:net'
import { expect, test } from 'vitest'
import { onFreshDatabase, openClient } from '../../boot/on-fresh-database'
import { openSessionReader } from './session'

const database = onFreshDatabase(openClient)

/** Passes bytes on to the database, and stops doing so on the connections that are open, as a host does that hangs. */
async function hangingProxy() {
  const pairs: [net.Socket, net.Socket][] = []
  const { host, port } = database.client
  const proxy = net.createServer((socket) => {
    const behind = host.startsWith('/') ? net.connect(`${host}/.s.PGSQL.${port}`) : net.connect(port, host)
    pairs.push([socket, behind])
    for (const each of [socket, behind]) each.on('error', () => {})
    socket.pipe(behind).pipe(socket)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { user = '', database: name = '' } = database.client
  return {
    url: `postgresql://${user}@127.0.0.1:${(proxy.address() as net.AddressInfo).port}/${name}`,
    hang: () => {
      for (const [socket, behind] of pairs) socket.unpipe(behind)
    },
    close: async () => {
      for (const each of pairs.flat()) each.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

test('a database that hangs does not hide for good which sessions have ended', async () => {
  const proxy = await hangingProxy()
  const reader = openSessionReader(proxy.url, 300)
  expect(await reader.read(['x'])).toEqual(new Map())
  proxy.hang()
  await expect(reader.read(['x'])).rejects.toThrow(/timeout/)
  expect(await reader.read(['x'])).toEqual(new Map())
  await reader.close()
  await proxy.close()
})
