import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { killed } from '../processes'
import { NODE_NAMESPACES } from './programs'

// A machine is a program in a namespace of processes of its own: SIGKILL of its first process is a loss of power, SIGSTOP
// of all of them is a machine that stands still or a network that carries nothing.

export interface Machine {
  readonly name: string
  start(): void
  /** Loss of power; answers when nothing of it runs. */
  kill(): Promise<void>
  /** Stands still until `thaw`; whoever waits for it goes on waiting. */
  freeze(): void
  thaw(): void
}

interface MachineOptions {
  readonly name: string
  readonly command: readonly string[]
  /** Where it logs. */
  readonly folder: string
}

export function makeMachine({ name, command, folder }: MachineOptions): Machine {
  let child: ChildProcess | null = null
  const signal = (what: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of child?.pid === undefined ? [] : processesOf(child.pid)) {
      try {
        process.kill(pid, what)
      } catch {
        // It ended a moment ago.
      }
    }
  }
  return {
    name,
    start: () => {
      const log = fs.openSync(path.join(folder, `${name}.log`), 'a')
      const stdio = ['ignore', log, log] as const
      // It must not outlive this process, however that ends.
      const words = ['--pdeathsig', 'KILL', 'unshare', ...NODE_NAMESPACES, ...command]
      child = spawn('setpriv', words, { stdio: [...stdio] })
      fs.closeSync(log)
    },
    kill: async () => {
      if (child === null) return
      const inside = processesOf(child.pid ?? 0)
      await killed(child)
      while (inside.some(isThere)) await pause(20)
      child = null
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  }
}

/** The first process of the namespace that this one made, and all that live in it. */
function processesOf(maker: number): readonly number[] {
  const [first] = childrenOf(maker)
  if (first === undefined) return []
  const own = namespaceOf(first)
  const all = fs.readdirSync('/proc').map(Number).filter(Number.isInteger)
  return own === null ? [] : all.filter((pid) => namespaceOf(pid) === own)
}

function childrenOf(pid: number): readonly number[] {
  try {
    return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function namespaceOf(pid: number): string | null {
  try {
    return fs.readlinkSync(`/proc/${pid}/ns/pid`)
  } catch {
    return null
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Ports of 127.0.0.1 at which nobody listens now. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = net.createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
