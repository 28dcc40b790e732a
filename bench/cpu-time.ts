import fs from 'node:fs'

// CPU time of processes, from /proc: the cost of a request, independent of other load on the machine.

const TICK_MS = 10 // user-space tick: the kernel reports hundredths of a second, whatever its own tick rate

/** Fields of /proc/<pid>/stat after the name: 2nd the parent, 12th to 15th CPU times, also of reaped children. */
function statOf(pid: number): readonly string[] | null {
  try {
    const text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null // it has exited meanwhile
  }
}

/** User and system time of these processes and all their children, ms. */
export function cpuMsOf(pids: readonly number[]): number {
  const children = childrenByParent()
  const ticksOf = (pid: number): number => {
    const stat = statOf(pid)
    if (!stat) return 0
    const own = [11, 12, 13, 14].reduce((sum, at) => sum + Number(stat[at]), 0)
    return (children.get(pid) ?? []).reduce((sum, child) => sum + ticksOf(child), own)
  }
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * TICK_MS
}

function childrenByParent(): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>()
  for (const name of fs.readdirSync('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid)) continue
    const parent = parentOf(pid)
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  return children
}

export function parentOf(pid: number): number | null {
  const stat = statOf(pid)
  return stat ? Number(stat[1]) : null
}
