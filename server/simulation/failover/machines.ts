import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { killed } from '../processes'
import { NODE_NAMESPACES } from './programs'

// A machine is a program in its own PID namespace: SIGKILL for the first process is a loss of power, SIGSTOP for all
// processes is a frozen machine or a network that carries nothing.

export interface Machine {
  readonly name: string
  start(): void
  /** Loss of power; resolves when none of its processes runs. */
  kill(): Promise<void>
  /** Freezes it until `thaw`; clients that wait for an answer go on waiting. */
  freeze(): void
  thaw(): void
}

interface MachineOptions {
  readonly name: string
  readonly command: readonly string[]
  /** The folder for its log. */
  readonly folder: string
}

export function makeMachine({ name, command, folder }: MachineOptions): Machine {
  let child: ChildProcess | null = null
  const signal = (what: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of child?.pid === undefined ? [] : processesOf(child.pid)) {
      try {
        process.kill(pid, what)
      } catch {
        // It has just exited.
      }
    }
  }
  return {
    name,
    start: () => {
      const log = fs.openSync(path.join(folder, `${name}.log`), 'a')
      const stdio = ['ignore', log, log] as const
      // It must not outlive this process, however this process ends.
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

/** All processes in the PID namespace that this process created. */
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

/** Ports of 127.0.0.1 on which nothing listens now. */
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
