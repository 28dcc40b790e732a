import { uriOf } from '../address'
import type { DomainControl, MigrationOrder } from '../control'
import type { RpcChannel } from './channel'
import {
  MIGRATE,
  PARAM,
  PROCEDURES,
  type Procedure,
  type RemoteDomain,
  SHUTDOWN_ACPI,
  type TypedParam,
  UNDEFINE_ALL_BUT_NVRAM,
} from './protocol'
import { uuidBytes } from './uuid'

/** Changes to domains, over one channel. */
export function rpcControl({ call }: RpcChannel): DomainControl {
  const lookup = async (uuid: string): Promise<RemoteDomain> =>
    (await call(PROCEDURES.domainLookupByUuid, { uuid: uuidBytes(uuid) })).dom
  const plain = async <R>(procedure: Procedure<{ dom: RemoteDomain }, R>, uuid: string) => {
    await call(procedure, { dom: await lookup(uuid) })
  }
  const flagged = async <R>(procedure: Procedure<{ dom: RemoteDomain; flags: number }, R>, uuid: string, flags = 0) => {
    await call(procedure, { dom: await lookup(uuid), flags })
  }
  return {
    async define(xml) {
      await call(PROCEDURES.domainDefineXmlFlags, { xml, flags: 0 })
    },
    undefine: (uuid) => flagged(PROCEDURES.domainUndefineFlags, uuid, UNDEFINE_ALL_BUT_NVRAM),
    start: (uuid) => flagged(PROCEDURES.domainCreateWithFlags, uuid),
    shutdown: (uuid) => flagged(PROCEDURES.domainShutdownFlags, uuid, SHUTDOWN_ACPI),
    destroy: (uuid) => flagged(PROCEDURES.domainDestroyFlags, uuid),
    reboot: (uuid) => flagged(PROCEDURES.domainReboot, uuid),
    reset: (uuid) => flagged(PROCEDURES.domainReset, uuid),
    suspend: (uuid) => plain(PROCEDURES.domainSuspend, uuid),
    resume: (uuid) => plain(PROCEDURES.domainResume, uuid),
    async migrate(uuid, order) {
      const dom = await lookup(uuid)
      const args = { dom, dconnuri: uriOf(order.destination), params: paramsOf(order), cookie: new Uint8Array() }
      await call(PROCEDURES.domainMigratePerform3Params, { ...args, flags: flagsOf(order) }, { limitMs: null })
    },
    abortJob: (uuid) => plain(PROCEDURES.domainAbortJob, uuid),
    async setMigrationSpeed(uuid, mibPerS) {
      const args = { dom: await lookup(uuid), bandwidth: BigInt(mibPerS), flags: 0 }
      await call(PROCEDURES.domainMigrateSetMaxSpeed, args)
    },
    async setMigrationDowntime(uuid, ms) {
      const args = { dom: await lookup(uuid), downtime: BigInt(ms), flags: 0 }
      await call(PROCEDURES.domainMigrateSetMaxDowntime, args)
    },
    async startDirtyRate(uuid, seconds) {
      await call(PROCEDURES.domainStartDirtyRateCalc, { dom: await lookup(uuid), seconds, flags: 0 })
    },
    startPostCopy: (uuid) => flagged(PROCEDURES.domainMigrateStartPostCopy, uuid),
  }
}

function paramsOf({ dataAddress, liveXml, persistentXml, copiedDisks, policy }: MigrationOrder): TypedParam[] {
  const { bandwidthMibPerS, parallelConnections } = policy
  const text = (name: string, value: string): TypedParam => ({ field: name, value: { type: PARAM.text, value } })
  return [
    text('destination_xml', liveXml),
    text('persistent_xml', persistentXml),
    ...copiedDisks.map((disk) => text('migrate_disks', disk)),
    ...(dataAddress === null ? [] : [text('migrate_uri', `tcp://${dataAddress}`)]),
    ...(bandwidthMibPerS === null
      ? []
      : [{ field: 'bandwidth', value: { type: PARAM.ullong, value: BigInt(bandwidthMibPerS) } } as const]),
    ...(parallelConnections === null
      ? []
      : [{ field: 'parallel.connections', value: { type: PARAM.int, value: parallelConnections } } as const]),
  ]
}

function flagsOf({ copiedDisks, policy }: MigrationOrder): number {
  const wanted = [
    ...[MIGRATE.live, MIGRATE.peerToPeer, MIGRATE.persistDestination, MIGRATE.undefineSource],
    copiedDisks.length > 0 ? MIGRATE.nonSharedDisk : 0,
    policy.autoConverge ? MIGRATE.autoConverge : 0,
    policy.postCopy ? MIGRATE.postCopy : 0,
    policy.parallelConnections === null ? 0 : MIGRATE.parallel,
    policy.tls ? MIGRATE.tls : 0,
  ]
  return wanted.reduce((flags, flag) => flags | flag, 0)
}
