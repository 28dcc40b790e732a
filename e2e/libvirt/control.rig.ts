import path from 'node:path'
import { describe } from 'vitest'
import { CLIENTS, connectHypervisor } from '../../server/drivers/libvirt/connect'
import { sessionAddress } from '../../server/drivers/libvirt/connection.contract'
import { type ControlHost, controlContract } from '../../server/drivers/libvirt/control.contract'
import { storageContract } from '../../server/drivers/libvirt/storage/storage.contract'
import { guardedRig } from './guarded-rig'
import { domainXml, readGuestLog } from './guest'
import { IMAGE, POOL } from './pool'
import { whyNoRig } from './prerequisites'
import type { RigHost } from './rig-host'

const why = whyNoRig()
if (why !== null) console.log(`skipped: ${why}`)

describe.skipIf(why !== null)(`real domains${why === null ? '' : ` (skipped: ${why})`}`, () => {
  const guarded = guardedRig()
  const host = (nth: number) => guarded().rig.hosts[nth] as RigHost
  const controlHost = (each: RigHost): ControlHost => ({
    name: each.name,
    peerAddress: sessionAddress(`tls:${each.ip}`, { pkiPath: each.pkiPath }),
    virsh: each.virsh,
  })

  for (const client of CLIENTS)
    storageContract(client, () => ({
      connect: (readOnly = false) =>
        connectHypervisor(sessionAddress(`unix:${host(0).socketPath}`, { readOnly }), client),
      virsh: host(0).virsh,
      ...{ pool: POOL, image: IMAGE },
    }))

  for (const client of CLIENTS)
    controlContract(client, () => ({
      connect: (name, readOnly = false) => {
        const each = guarded().rig.hosts.find((one) => one.name === name) as RigHost
        return connectHypervisor(sessionAddress(`unix:${each.socketPath}`, { readOnly }), client)
      },
      source: controlHost(host(0)),
      destination: controlHost(host(1)),
      newDomain: (uuid) => {
        const { folder } = guarded().rig
        const logPath = path.join(folder, `${uuid}.log`)
        const xml = domainXml({
          uuid,
          name: `g-${uuid.slice(0, 8)}`,
          kernelPath: path.join(folder, 'guest'),
          logPath,
        })
        return { xml, words: () => readGuestLog(logPath) }
      },
    }))
})
