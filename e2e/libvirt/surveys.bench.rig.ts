import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { CLIENTS, type HypervisorClient } from '../../server/drivers/libvirt/connect'
import { sessionAddress } from '../../server/drivers/libvirt/connection.contract'
import { PLAIN_POLICY } from '../../server/drivers/libvirt/control'
import { inProcessRecordStore } from '../../server/drivers/libvirt/domain-record'
import { libvirtDriver } from '../../server/drivers/libvirt/driver'
import { hostLinks } from '../../server/drivers/libvirt/host-links'
import type { HostId, InstanceId } from '../../server/engine/words/ids'
import { ForeignDomains } from './foreign-domains'
import { buildOrderOn, machineOf, writeKernel } from './guest'
import { whyNoRig } from './prerequisites'
import { startRig, TWO_NODES } from './rig'
import type { RigHost } from './rig-host'

// npx tsx e2e/libvirt/surveys.bench.rig.ts [--connections 100] [--daemons 4] [--surveys 6] [--virsh-surveys 2]: surveys
// many hosts every 10 s, each over its own connection to a real daemon, first by RPC and then by virsh. Prints the CPU
// time of a survey in this process and the commands that it starts, and the ratio. The daemons do the same work for
// both.

const SURVEY_INTERVAL_MS = 10_000
const INSTANCES = 2 // domains of Berth on each daemon
const AT_ONCE = 8 // with a hundred concurrent commands, a machine with few cores would miss their deadlines

const text = { type: 'string' } as const
const options = { connections: text, daemons: text, surveys: text, 'virsh-surveys': text }
const { values } = parseArgs({ options })
const [connections, daemons] = [Number(values.connections ?? '100'), Number(values.daemons ?? '4')]
const SURVEYS: Readonly<Record<HypervisorClient, number>> = {
  rpc: Number(values.surveys ?? '6'),
  virsh: Number(values['virsh-surveys'] ?? '2'), // each takes half a minute of CPU time
}

/** User and system time of this process and its ended children, in ms. */
function cpuMs(): number {
  const stat = fs.readFileSync('/proc/self/stat', 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000 + (Number(fields[13]) + Number(fields[14])) * 10
}

async function measure(client: HypervisorClient, machines: readonly RigHost[], folder: string): Promise<number> {
  const named = Array.from(
    { length: connections },
    (_, nth) => [randomUUID() as HostId, machines[nth % machines.length] as RigHost] as const,
  )
  const byId = new Map(named)
  const links = hostLinks(async (id) => {
    const address = sessionAddress(`unix:${byId.get(id)?.socketPath}`, { readOnly: false })
    return {
      ok: true,
      host: { address, peerAddress: null, dataAddress: null, pool: null, client, machine: null, policy: PLAIN_POLICY },
    }
  })
  const machine = machineOf(folder)
  const driver = libvirtDriver({
    ...{
      links,
      memory: inProcessRecordStore(),
      machineXml: async () => machine,
      now: Date.now,
      shutdownLimitMs: 15_000,
    },
  })
  const made: { instance: InstanceId; host: HostId; fence: number }[] = []
  for (const [host] of named.slice(0, machines.length))
    for (let nth = 0; nth < INSTANCES; nth++) {
      const order = buildOrderOn(host)
      const built = await driver.build(order)
      if (built.did !== 'done') throw new Error(`an instance was not built: ${JSON.stringify(built)}`)
      made.push({ instance: order.instance, host, fence: 2 })
    }
  const surveys = SURVEYS[client]
  let silent = 0
  const survey = async () => {
    const answers: Awaited<ReturnType<typeof driver.survey>>[] = []
    for (let at = 0; at < named.length; at += AT_ONCE)
      answers.push(...(await Promise.all(named.slice(at, at + AT_ONCE).map(([host]) => driver.survey(host)))))
    const wrong = answers.find((answer) => answer !== null && answer.length !== INSTANCES)
    if (wrong) throw new Error(`a survey reported ${wrong.length} domains of ${INSTANCES}`)
    silent += answers.filter((answer) => answer === null).length
  }
  await survey() // connects
  const [cpu, walls] = [cpuMs(), [] as number[]]
  silent = 0
  for (let nth = 0; nth < surveys; nth++) {
    const began = performance.now()
    await survey()
    walls.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, SURVEY_INTERVAL_MS - (performance.now() - began))))
  }
  const perSurvey = (cpuMs() - cpu) / surveys
  const wall = walls.sort((a, b) => a - b)[Math.floor(surveys / 2)] as number
  console.log(
    `${client}: ${perSurvey.toFixed(1)} ms CPU per survey of ${connections} hosts, ` +
      `${(perSurvey / connections).toFixed(3)} ms per host; ${wall.toFixed(0)} ms until all have answered (median of ${surveys})` +
      (silent === 0 ? '' : `; ${silent} of ${connections * surveys} surveys had no answer in time`),
  )
  for (const doomed of made) await driver.destroy(doomed)
  await links.close()
  return perSurvey
}

async function main(): Promise<void> {
  const why = whyNoRig()
  if (why !== null) {
    console.log(`skipped: ${why}`)
    return
  }
  const rig = await startRig(Array.from({ length: daemons }, () => TWO_NODES))
  try {
    writeKernel(path.join(rig.folder, 'guest'))
    const foreignDomains = await ForeignDomains.on(rig)
    const costs: number[] = []
    for (const client of CLIENTS) costs.push(await measure(client, rig.hosts, rig.folder))
    const [rpc = 0, virsh = 0] = costs
    for (const touched of await foreignDomains.touched()) throw new Error(touched)
    console.log(`virsh costs ${(virsh / rpc).toFixed(1)} times what the RPC does`)
  } finally {
    await rig.down()
  }
}

await main()
