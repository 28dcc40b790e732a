import fs from 'node:fs'
import path from 'node:path'
import { type Controller, startController } from '../../server/fencing/testing/controller'
import type { Rig } from './rig'
import type { RigHost } from './rig-host'

// Fencing devices for the hosts of the rig: a Redfish controller for one host, and a command for the others. Both end
// everything that runs on the host.

export interface RigPower {
  readonly controller: Controller
  /** The value for BERTH_FENCING_FILE. */
  readonly filePath: string
  /** Arguments of each call of the command, in order. */
  commands(): readonly string[]
}

const PASSWORD = 'of-the-controller'

export async function startPower({ hosts, folder }: Rig): Promise<RigPower> {
  const [first, ...others] = hosts
  if (!first) throw new Error('a rig without a host has no power')
  const at = (name: string) => path.join(folder, name)
  const pki = (name: string) => fs.readFileSync(path.join(first.pkiPath, name))
  const controller = await startController({
    machines: Object.fromEntries(hosts.map((host) => [host.name, machineOf(host)])),
    ...{ host: first.ip, username: 'berth', password: PASSWORD },
    tls: { cert: pki('servercert.pem'), key: pki('serverkey.pem') },
  })
  fs.writeFileSync(at('bmc.password'), `${PASSWORD}\n`, { mode: 0o600 })
  fs.writeFileSync(at('power'), powerScript(folder), { mode: 0o755 })
  const ways = {
    [first.name]: {
      ...{ redfish: controller.address, system: '{host}', username: 'berth', password: { file: at('bmc.password') } },
      ...{ cacert: path.join(first.pkiPath, 'cacert.pem'), deadline: 60 },
    },
    ...Object.fromEntries(
      others.map(({ name }) => [
        name,
        { command: [at('power'), 'off', '{host}'], status: [at('power'), 'status', '{host}'], deadline: 60 },
      ]),
    ),
  }
  // JSON is valid YAML.
  fs.writeFileSync(at('fencing.yaml'), JSON.stringify({ hosts: ways }))
  return {
    ...{ controller, filePath: at('fencing.yaml') },
    commands: () => (fs.existsSync(at('power.log')) ? fs.readFileSync(at('power.log'), 'utf8').trim().split('\n') : []),
  }
}

const machineOf = (host: RigHost) => ({
  isOn: () => host.isUp(),
  powerOff: () => host.down(),
  powerOn: () => host.boot(),
})

/** Killing the first process of a host ends the whole host. */
const powerScript = (folder: string) => `#!/bin/sh
echo "$1 $2" >> '${folder}/power.log'
pid=$(cat '${folder}'/"$2"/first.pid)
if [ "$1" = off ]; then kill -KILL "$pid"; fi
if kill -0 "$pid" 2>/dev/null; then echo 'Status: ON'; else echo 'Status: OFF'; exit 2; fi
`
