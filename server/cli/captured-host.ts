import fs from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { startCapturedDaemon } from '../drivers/libvirt/testing/captured-daemon'
import { pinnedDomain, smallCapture } from '../drivers/libvirt/testing/small-host'
import { printedHelp, wrongCall } from './usage'

// npx tsx server/cli/captured-host.ts SOCKET [capabilities.xml [nodedev.xml ...]]: a socket that answers reads like the
// libvirt daemon of a captured host, to try "Add host" without a hypervisor. It changes and runs nothing. A line of JSON on
// its input sets another hostname, and the running domains with their pinned CPUs.

const USAGE = 'usage: npx tsx server/cli/captured-host.ts SOCKET [capabilities.xml [nodedev.xml ...]]'
const args = process.argv.slice(2)
if (printedHelp(args, USAGE)) process.exit(0)
const [socketPath, capabilities, ...nodeDevices] = args
if (socketPath === undefined || args.some((each) => each.startsWith('-')))
  process.exit(wrongCall('Name the socket, and files that exist', USAGE))
const nameOf = (file: string) => path.basename(file, '.xml')
const read = (file: string) => fs.readFileSync(file, 'utf8')
const host =
  capabilities === undefined
    ? smallCapture({ domains: [pinnedDomain(1, [1, 3]), pinnedDomain(2, [3]), pinnedDomain(3, [])] })
    : {
        hostname: nameOf(capabilities),
        capabilities: read(capabilities),
        nodeDevices: nodeDevices.map((file) => ({ name: nameOf(file), xml: read(file) })),
        domains: [],
      }
fs.rmSync(socketPath, { force: true })
fs.mkdirSync(path.dirname(socketPath), { recursive: true })
const daemon = await startCapturedDaemon(host, socketPath)
interface HostUpdate {
  readonly hostname: string
  readonly domains: readonly { readonly uuid: string; readonly name: string; readonly cpus: readonly number[] }[]
}

createInterface({ input: process.stdin }).on('line', (text) => {
  const { hostname, domains } = JSON.parse(text) as HostUpdate
  const running = domains.map(({ uuid, name, cpus }, nth) => ({ ...pinnedDomain(nth, cpus), uuid, name }))
  daemon.host = { ...daemon.host, hostname, domains: running }
  console.log(`${hostname} answers at ${socketPath}`)
})
console.log(`${host.hostname} answers at ${socketPath}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void daemon.close().then(() => process.exit(0)))
