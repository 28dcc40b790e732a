import type http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'

/** The tests of a file run `berth` against this server, with a token. */
export function runAgainst(server: http.Server): void {
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    vi.stubEnv('BERTH_TOKEN', 'x')
    vi.stubEnv('BERTH_URL', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterEach(() => void vi.restoreAllMocks())
  afterAll(async () => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
}
