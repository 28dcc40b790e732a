import { createInterface } from 'node:readline'
import type { HypervisorAddress } from '../address'
import {
  byName,
  type Domain,
  type DomainEvent,
  type HypervisorConnection,
  type NodeDevice,
  namedResult,
} from '../connection'
import { eachAtMost } from '../deadline'
import { statusOfText } from '../domain-status'
import { HypervisorError } from '../errors'
import { NO_JOB } from '../statistics/job'
import { nullIfMissing, runVirsh, watchVirsh } from './command'
import {
  checkedUuid,
  linesOf,
  readEvent,
  readFreePages,
  readJobStatistics,
  readMemoryStatistics,
  readVersions,
} from './output'
import { virshControl, virshStorage } from './virsh-control'

// A connection with one process per call. It keeps nothing open, so it ends only when it is closed here.

const VIRSH_LIMIT_MS = 30_000
const AT_ONCE = 4

export function connectVirsh(address: HypervisorAddress, limitMs: number = VIRSH_LIMIT_MS): HypervisorConnection {
  const watchers = new Set<() => void>()
  const closing = new AbortController()
  let closed: (why: null) => void
  const ended = new Promise<null>((resolve) => {
    closed = resolve
  })
  const run = (...words: string[]) => runVirsh(address, words, { limitMs })
  const uuids = async () => linesOf(await run('list', '--all', '--uuid')).map((line) => line.trim())
  const describe = async (uuid: string): Promise<Domain> => {
    const status = statusOfText(await run('domstate', '--reason', '--domain', uuid))
    const name = linesOf(await run('domname', '--domain', uuid))[0]
    if (!status || name === undefined) throw new HypervisorError('protocol', `virsh printed no state of ${uuid}`)
    return { uuid, name, ...status, xml: await run('dumpxml', '--domain', uuid) }
  }
  const devices = async () => linesOf(await run('nodedev-list', '--cap', 'pci'))
  return {
    versions: async () => readVersions(await run('version', '--daemon')),
    hostname: async () => (await run('hostname')).trim(),
    capabilities: () => run('capabilities'),
    async nodeDevices() {
      const read = (name: string) =>
        nullIfMissing<NodeDevice>(devices, name, async () => ({ name, xml: await run('nodedev-dumpxml', name) }))
      return byName(await eachAtMost(await devices(), AT_ONCE, read))
    },
    freePages: async (node, sizeKib) =>
      readFreePages(await run('freepages', '--cellno', `${node}`, '--pagesize', `${sizeKib}`)),
    async domains(of) {
      const read = namedResult((uuid: string) => nullIfMissing(uuids, uuid, () => describe(uuid)), of)
      return byName(await eachAtMost(await uuids(), AT_ONCE, read)).map(({ result }) => result)
    },
    domain: async (uuid) => nullIfMissing(uuids, checkedUuid(uuid), () => describe(uuid)),
    ...statisticsOver(run, (uuid, read) => nullIfMissing(uuids, checkedUuid(uuid), read)),
    async migratableXml(uuid, which) {
      const whole = address.readOnly ? [] : ['--security-info', '--migratable']
      const flags = [...whole, ...(which === 'stored' ? ['--inactive'] : [])]
      return nullIfMissing(uuids, checkedUuid(uuid), () => run('dumpxml', '--domain', uuid, ...flags))
    },
    ...virshControl(address, limitMs, closing.signal),
    ...virshStorage(address, limitMs),
    async subscribe(listener) {
      const stop = watch(address, listener)
      watchers.add(stop)
      return async () => {
        if (watchers.delete(stop)) stop()
      }
    },
    ended,
    async close() {
      for (const stop of watchers) stop()
      watchers.clear()
      closing.abort()
      closed(null)
    },
  }
}

/** Numbers of a domain, by name. */
function statisticsOver(
  run: (...words: string[]) => Promise<string>,
  orNull: <R>(uuid: string, read: () => Promise<R>) => Promise<R | null>,
): Pick<HypervisorConnection, 'jobStatistics' | 'memoryStatistics'> {
  return {
    async jobStatistics(uuid, which) {
      const flags = which === 'completed' ? ['--completed', '--keep-completed'] : []
      const ask = async () => readJobStatistics(await run('domjobinfo', '--domain', uuid, '--rawstats', ...flags))
      return orNull(uuid, () => ask().catch(noJobWhileOff))
    },
    async memoryStatistics(uuid) {
      // The subject of `domstats` has no option of its own; a checked uuid is no option either.
      const ask = () => run('domstats', '--balloon', '--dirtyrate', checkedUuid(uuid))
      return orNull(uuid, async () => readMemoryStatistics(await ask()))
    },
  }
}

function watch(address: HypervisorAddress, listener: (event: DomainEvent) => void): () => void {
  const child = watchVirsh(address, ['event', '--loop', '--all'])
  child.once('error', () => {}) // events are hints: without them the surveys still work
  createInterface({ input: child.stdout }).on('line', (line) => {
    const event = readEvent(line)
    if (event) listener(event)
  })
  return () => child.kill('SIGKILL')
}

function noJobWhileOff(error: unknown) {
  if (error instanceof HypervisorError && /domain is not running/.test(error.message)) return NO_JOB
  throw error
}
