import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { domainXml, FOREIGN_DOMAIN } from './guest'
import { foreignVolumeState } from './pool'
import type { Rig } from './rig'
import type { RigHost } from './rig-host'

// A running domain and a volume on each host that Berth did not create. Berth must not change them.

interface ForeignState {
  readonly boots: number
  readonly text: string
}

export class ForeignDomains {
  private constructor(
    private readonly uuids: ReadonlyMap<RigHost, string>,
    private readonly seen: Map<RigHost, ForeignState>,
  ) {}

  /** Requires that the rig's folder has the guest software. */
  static async on({ hosts, folder }: Rig): Promise<ForeignDomains> {
    const name = FOREIGN_DOMAIN
    const uuids = new Map<RigHost, string>()
    for (const host of hosts) {
      const file = path.join(folder, `${host.name}.xml`)
      const [kernelPath, logPath] = [path.join(folder, 'guest'), path.join(folder, `${name}.log`)]
      const uuid = randomUUID()
      fs.writeFileSync(file, domainXml({ uuid, name, kernelPath, logPath }))
      await host.virsh('define', file)
      await host.virsh('start', name)
      uuids.set(host, uuid)
    }
    const foreignDomains = new ForeignDomains(uuids, new Map())
    for (const host of hosts) foreignDomains.seen.set(host, await foreignDomains.look(host))
    return foreignDomains
  }

  on(host: RigHost): string {
    return this.uuids.get(host) ?? ''
  }

  isOne(host: RigHost, uuid: string): boolean {
    return this.on(host) === uuid
  }

  /**
   * Changes since the last check, as sentences. A foreign domain is off after its host has booted, because only its
   * owner starts it; this starts it, so that foreign domains always run during the tests.
   */
  async touched(): Promise<readonly string[]> {
    const sentences: string[] = []
    for (const [host, uuid] of this.uuids) {
      const [before, now] = [this.seen.get(host), await this.look(host)]
      const isBooted = before?.boots !== now.boots
      const expected = isBooted ? before?.text.replace(/ \d+ running /, ' - shut off ') : before?.text
      if (now.text !== expected) sentences.push(`${host.name}: a domain or a volume of others was touched`)
      if (isBooted) await host.virsh('start', uuid).catch((error: Error) => sentences.push(error.message))
      this.seen.set(host, isBooted ? await this.look(host) : now)
    }
    return sentences
  }

  /** Definition, id and state of the domain (a restart changes the id), and the state of the volume. */
  private async look(host: RigHost): Promise<ForeignState> {
    const uuid = this.uuids.get(host) ?? ''
    const parts = [
      host.name,
      await host.virsh('domid', uuid),
      await host.virsh('domstate', uuid),
      await host.virsh('dumpxml', '--inactive', uuid),
      foreignVolumeState(host),
    ]
    return { boots: host.boots(), text: parts.join(' ').replaceAll(/\s+/g, ' ') }
  }
}
