import path from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import { CLIENTS, connectHypervisor } from '../../server/drivers/libvirt/connect'
import { sessionAddress } from '../../server/drivers/libvirt/connection.contract'
import { type ControlHost, controlContract } from '../../server/drivers/libvirt/control.contract'
import { whyNoRig } from './able'
import { guestXml, readGuestLog, writeGuest } from './guest'
import { type Rig, startRig, TWO_NODES } from './rig'
import type { RigHost } from './rig-host'
import { addStrangers, type Strangers, strangersNow, touchedStrangers } from './strangers'

const why = whyNoRig()
if (why !== null) console.log(`skipped: ${why}`)

describe.skipIf(why !== null)(`real domains${why === null ? '' : ` (skipped: ${why})`}`, () => {
  let rig: Rig
  let strangers: Strangers
  let before: readonly string[]
  beforeAll(async () => {
    rig = await startRig([TWO_NODES, TWO_NODES])
    writeGuest(path.join(rig.folder, 'guest'))
    strangers = await addStrangers(rig)
    before = await strangersNow(strangers)
  })
  afterEach(async () => expect(await touchedStrangers(strangers, before)).toEqual([]))
  afterAll(() => rig?.down())
  const host = (nth: number) => rig.hosts[nth] as RigHost
  const controlHost = (each: RigHost): ControlHost => ({
    name: each.name,
    peerAddress: sessionAddress(`tls:${each.ip}`, { pkiPath: each.pkiPath }),
    virsh: each.virsh,
  })

  for (const client of CLIENTS)
    controlContract(client, () => ({
      connect: (name, readOnly = false) => {
        const each = rig.hosts.find((one) => one.name === name) as RigHost
        return connectHypervisor(sessionAddress(`unix:${each.socketPath}`, { readOnly }), client)
      },
      source: controlHost(host(0)),
      destination: controlHost(host(1)),
      newGuest: (uuid) => {
        const logPath = path.join(rig.folder, `${uuid}.log`)
        const xml = guestXml({
          uuid,
          name: `g-${uuid.slice(0, 8)}`,
          kernelPath: path.join(rig.folder, 'guest'),
          logPath,
        })
        return { xml, words: () => readGuestLog(logPath) }
      },
    }))
})
