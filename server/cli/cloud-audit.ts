import { setTimeout as wait } from 'node:timers/promises'
import type { CloudClient } from '../cloud/client'
import { CloudMirror } from '../cloud/mirror/mirror'
import { doubtfulPins, requestsPins } from '../cloud/mirror/pins'
import { auditCloud, consumersToRead } from '../engine/cloud/audit'
import { type CloudAuditSettings, DEFAULT_SETTINGS } from '../engine/cloud/facts'
import type { CloudFinding } from '../engine/cloud/finding'
import type { CloudSnapshot } from '../engine/cloud/snapshot'
import { runToCompletion } from '../engine/interruptible'

// Reads a cloud from the command line. A finding needs two observations of all its facts, so an audit reads twice.

export interface ReadOptions {
  readonly pins: 'asked' | 'all' | 'none'
}

/** Signs in first, so that an unreachable cloud is one error and not one for each part. */
export async function readMirror(client: CloudClient, { pins }: ReadOptions): Promise<CloudMirror> {
  await client.token()
  const mirror = new CloudMirror(client)
  await mirror.whole()
  for (let left = await mirror.askUnknown(), before = left + 1; left > 0 && left < before; ) {
    before = left
    left = await mirror.askUnknown()
  }
  if (pins !== 'none') await mirror.readTopologies(pins === 'all' ? () => true : requestsPins, Number.POSITIVE_INFINITY)
  return mirror
}

export interface AuditOptions extends ReadOptions {
  readonly waitMs: number
  /** Consumers, consumer types and root providers of other clients of this Placement. */
  readonly otherClients: readonly string[]
}

export interface CloudAudit {
  readonly findings: readonly CloudFinding[]
  readonly snapshot: CloudSnapshot
  readonly settings: CloudAuditSettings
}

export async function runCloudAudit(client: CloudClient, options: AuditOptions): Promise<CloudAudit> {
  const settings = { ...DEFAULT_SETTINGS, otherClients: new Set(options.otherClients) }
  const mirror = await readMirror(client, options)
  const before = mirror.snapshot()
  await wait(options.waitMs)
  await mirror.changes({ lists: true })
  await mirror.readAgain(doubtfulPins(mirror.snapshot()))
  const once = mirror.snapshot()
  const found = auditCloud({ before, after: once, settings })
  // A repair writes for a whole consumer, and only the consumer's own answer has its project and user.
  await mirror.readConsumers(runToCompletion(consumersToRead({ snapshot: once, findings: found, settings })))
  const snapshot = mirror.snapshot()
  return { findings: auditCloud({ before, after: snapshot, settings }), snapshot, settings }
}
