import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { guestXml } from './guest'
import type { Rig } from './rig'
import type { RigHost } from './rig-host'

// A running domain on each host that Berth did not make. Whatever Berth does beside them, they stay as they are.

/** Their uuids. */
export type Strangers = ReadonlyMap<RigHost, string>

/** The rig has its guest's software. */
export async function addStrangers({ hosts, folder }: Rig): Promise<Strangers> {
  const name = 'not-berths'
  const strangers = new Map<RigHost, string>()
  for (const host of hosts) {
    const file = path.join(folder, `${host.name}.xml`)
    const [kernelPath, logPath] = [path.join(folder, 'guest'), path.join(folder, `${name}.log`)]
    fs.writeFileSync(file, guestXml({ uuid: randomUUID(), name, kernelPath, logPath }))
    await host.virsh('define', file)
    await host.virsh('start', name)
    strangers.set(host, (await host.virsh('domuuid', name)).trim())
  }
  return strangers
}

/** Definition, id and state of each: one that was stopped and started again has another id. */
export async function strangersNow(strangers: Strangers): Promise<readonly string[]> {
  return Promise.all(
    [...strangers].map(async ([host, uuid]) =>
      [
        host.name,
        await host.virsh('domid', uuid),
        await host.virsh('domstate', uuid),
        await host.virsh('dumpxml', '--inactive', uuid),
      ].join('\n'),
    ),
  )
}

/**
 * What was done to them since `before`, in sentences; empty when nothing was. One whose host has booted again is off, and
 * stays off: nobody but its owner starts it.
 */
export async function touchedStrangers(strangers: Strangers, before: readonly string[]): Promise<readonly string[]> {
  const now = await strangersNow(strangers)
  return [...strangers.keys()].flatMap((host, nth) => {
    const was = before[nth] ?? ''
    const expected = host.boots() === 1 ? was : was.replace(/\n\d+\s+running\s+/, '\n-\n\nshut off\n\n')
    const [wanted, seen] = [expected, now[nth] ?? ''].map((text) => text.replaceAll(/\s+/g, ' '))
    return wanted === seen ? [] : [`${host.name}: the domain of others was touched`]
  })
}
