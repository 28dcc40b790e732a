import type { OwnServer } from '../server'
import type { RigHost } from './rig-host'

// Faults that end without help, so that the tests check how Berth recovers.

export interface Fault {
  readonly name: string
  inject(at: { readonly host: RigHost; readonly server: OwnServer }): Promise<void>
}

/** Longer than the keepalive of the daemons, which is three times 2 s. */
const FROZEN_MS = 8_000
const DOWN_MS = 1_000

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export const FAULTS: readonly Fault[] = [
  {
    name: 'daemon killed',
    async inject({ host }) {
      if (!host.isUp()) return
      await host.killDaemon('SIGKILL')
      await pass(DOWN_MS)
      await host.startDaemon()
    },
  },
  {
    name: 'daemon frozen',
    async inject({ host }) {
      if (!host.isUp()) return
      await host.killDaemon('SIGSTOP')
      await pass(FROZEN_MS)
      await host.killDaemon('SIGCONT')
    },
  },
  {
    name: 'host killed',
    async inject({ host }) {
      await host.down()
      await pass(DOWN_MS)
      await host.boot()
    },
  },
  {
    name: 'Berth killed',
    async inject({ server }) {
      await server.kill()
      await server.startAgain()
    },
  },
]
