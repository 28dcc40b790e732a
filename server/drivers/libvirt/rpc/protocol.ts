import {
  array,
  BaseType,
  double,
  field,
  type Infer,
  int32,
  int64,
  opaque,
  option,
  type Reader,
  struct,
  uint32,
  uint64,
  union,
  unionCase,
  varOpaque,
  voidType,
  type Writer,
  XdrError,
  type XdrType,
} from '@stellar/js-xdr'
import type { JobFields } from '../statistics/job'

// The part of libvirt's protocol that Berth uses, as a table. Names, numbers, types and limits are those of
// src/remote/remote_protocol.x of libvirt 9.0.0 (Debian source package libvirt 9.0.0-4); numbers never change, because
// old clients must keep working with new daemons.

export const REMOTE_PROGRAM = 0x20008086 // remote_protocol.x, REMOTE_PROGRAM
export const REMOTE_VERSION = 1 // REMOTE_PROTOCOL_VERSION
export const KEEPALIVE_PROGRAM = 0x6b656570 // src/rpc/virkeepaliveprotocol.x, KEEPALIVE_PROGRAM
export const KEEPALIVE_VERSION = 1 // KEEPALIVE_PROTOCOL_VERSION
export const KEEPALIVE_PING = 1 // enum keepalive_procedure
export const KEEPALIVE_PONG = 2

const STRING_MAX = 4_194_304 // REMOTE_STRING_MAX
const DOMAIN_LIST_MAX = 16_384 // REMOTE_DOMAIN_LIST_MAX
const NODE_DEVICE_LIST_MAX = 65_536 // REMOTE_NODE_DEVICE_LIST_MAX
const NODE_MAX_CELLS = 1_024 // REMOTE_NODE_MAX_CELLS
const AUTH_TYPE_LIST_MAX = 20 // REMOTE_AUTH_TYPE_LIST_MAX
const JOB_STATS_MAX = 64 // REMOTE_DOMAIN_JOB_STATS_MAX
const STATS_PARAMS_MAX = 4_096 // REMOTE_CONNECT_GET_ALL_DOMAIN_STATS_MAX
const MIGRATE_PARAMS_MAX = 64 // REMOTE_DOMAIN_MIGRATE_PARAM_LIST_MAX
const VOLUME_LIST_MAX = 16_384 // REMOTE_STORAGE_VOL_LIST_MAX
const MIGRATE_COOKIE_MAX = 4_194_304 // REMOTE_MIGRATE_COOKIE_MAX

const utf8 = new TextDecoder()
const toUtf8 = new TextEncoder()

/**
 * An XDR string as text. XDR leaves the encoding open, libvirt sends UTF-8; a name in another one is shown with
 * replacement characters rather than refused, for it is only read.
 */
class TextType extends BaseType<string> {
  readonly kind = 'text'
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    super()
    this.#maxBytes = maxBytes
  }

  _read(reader: Reader, path: string): string {
    const length = reader.readUint32(path)
    if (length > this.#maxBytes) throw new XdrError(`${path}: ${length} bytes exceed the ${this.#maxBytes} of a string`)
    const bytes = reader.readBytes(length, path)
    reader.skipPadding(length, path)
    // A string of C ends there, so no daemon sends one, and no text with it could be stored.
    if (bytes.includes(0)) throw new XdrError(`${path}: a string with a NUL is not libvirt's`)
    return utf8.decode(bytes)
  }

  _write(value: string, writer: Writer, path: string): void {
    const bytes = toUtf8.encode(value)
    if (bytes.length > this.#maxBytes) throw new XdrError(`${path}: ${bytes.length} bytes exceed ${this.#maxBytes}`)
    writer.writeUint32(bytes.length)
    writer.writeBytes(bytes)
    writer.writePadding(bytes.length)
  }
}

const nonnullString = new TextType(STRING_MAX)
const optionalString = option(nonnullString)
const nothing = voidType()

/** remote_nonnull_domain; the daemon finds a domain by its uuid. */
const remoteDomain = struct('remote_nonnull_domain', { name: nonnullString, uuid: opaque(16), id: int32() })
export type RemoteDomain = Infer<typeof remoteDomain>

const remoteNetwork = struct('remote_nonnull_network', { name: nonnullString, uuid: opaque(16) })

const remotePool = struct('remote_nonnull_storage_pool', { name: nonnullString, uuid: opaque(16) })
export type RemotePool = Infer<typeof remotePool>
const remoteVolume = struct('remote_nonnull_storage_vol', {
  ...{ pool: nonnullString, name: nonnullString, key: nonnullString },
})
export type RemoteVolume = Infer<typeof remoteVolume>

/** remote_error, the payload of a reply whose status is an error. */
export const remoteError = struct('remote_error', {
  code: int32(),
  domain: int32(),
  message: optionalString,
  level: int32(),
  dom: option(remoteDomain),
  str1: optionalString,
  str2: optionalString,
  str3: optionalString,
  int1: int32(),
  int2: int32(),
  net: option(remoteNetwork),
})

/** remote_typed_param; the discriminants are virTypedParameterType of libvirt-common.h. */
const typedParam = struct('remote_typed_param', {
  field: nonnullString,
  value: union('remote_typed_param_value', {
    switchOn: int32(),
    cases: [
      unionCase('int', 1, field('value', int32())),
      unionCase('uint', 2, field('value', uint32())),
      unionCase('llong', 3, field('value', int64())),
      unionCase('ullong', 4, field('value', uint64())),
      unionCase('double', 5, field('value', double())),
      unionCase('boolean', 6, field('value', int32())),
      unionCase('string', 7, field('value', nonnullString)),
    ],
  }),
})
const typedParams = array(typedParam, JOB_STATS_MAX)
export type TypedParam = Infer<typeof typedParam>

/** As names and values. A hyper becomes a number: libvirt counts bytes and ms in them, far below 2^53. */
export function fieldsOf(params: Infer<typeof typedParams>): JobFields {
  return Object.fromEntries(
    params.map(({ field: name, value: { value } }) => [name, typeof value === 'bigint' ? Number(value) : value]),
  )
}

export interface Procedure<A, R> {
  readonly number: number
  readonly args: XdrType<A>
  readonly reply: XdrType<R>
}

const procedure = <A, R>(number: number, args: XdrType<A>, reply: XdrType<R>): Procedure<A, R> => ({
  number,
  args,
  reply,
})

const flags = uint32()
const ofDomain = struct('args', { dom: remoteDomain, flags })
const ofDomainOnly = struct('args', { dom: remoteDomain })
const domainReply = struct('ret', { dom: remoteDomain })
const all = struct('args', { needResults: int32(), flags })
const ofVolume = struct('args', { vol: remoteVolume, flags })
const volumeReply = struct('ret', { vol: remoteVolume })

/** The key is REMOTE_PROC_… in camel case; args and replies are the structs `remote_…_args` and `remote_…_ret`. */
export const PROCEDURES = {
  connectOpen: procedure(1, struct('args', { name: optionalString, flags }), nothing),
  connectClose: procedure(2, nothing, nothing),
  connectGetVersion: procedure(4, nothing, struct('ret', { hvVersion: uint64() })),
  connectGetCapabilities: procedure(7, nothing, struct('ret', { capabilities: nonnullString })),
  domainGetXmlDesc: procedure(14, ofDomain, struct('ret', { xml: nonnullString })),
  domainLookupByUuid: procedure(24, struct('args', { uuid: opaque(16) }), domainReply),
  domainReboot: procedure(27, ofDomain, nothing),
  domainResume: procedure(28, ofDomainOnly, nothing),
  domainSuspend: procedure(34, ofDomainOnly, nothing),
  connectGetHostname: procedure(59, nothing, struct('ret', { hostname: nonnullString })),
  connectSupportsFeature: procedure(60, struct('args', { feature: int32() }), struct('ret', { supported: int32() })),
  authList: procedure(66, nothing, struct('ret', { types: array(int32(), AUTH_TYPE_LIST_MAX) })),
  authPolkit: procedure(70, nothing, struct('ret', { complete: int32() })),
  storagePoolRefresh: procedure(83, struct('args', { pool: remotePool, flags }), nothing),
  storagePoolLookupByName: procedure(84, struct('args', { name: nonnullString }), struct('ret', { pool: remotePool })),
  storagePoolGetInfo: procedure(
    87,
    struct('args', { pool: remotePool }),
    struct('ret', { state: uint32(), capacity: uint64(), allocation: uint64(), available: uint64() }),
  ),
  storageVolCreateXml: procedure(93, struct('args', { pool: remotePool, xml: nonnullString, flags }), volumeReply),
  storageVolDelete: procedure(94, ofVolume, nothing),
  storageVolLookupByName: procedure(95, struct('args', { pool: remotePool, name: nonnullString }), volumeReply),
  storageVolGetXmlDesc: procedure(99, ofVolume, struct('ret', { xml: nonnullString })),
  nodeDeviceGetXmlDesc: procedure(
    114,
    struct('args', { name: nonnullString, flags }),
    struct('ret', { xml: nonnullString }),
  ),
  connectGetLibVersion: procedure(157, nothing, struct('ret', { libVersion: uint64() })),
  domainAbortJob: procedure(164, ofDomainOnly, nothing),
  domainMigrateSetMaxDowntime: procedure(
    166,
    struct('args', { dom: remoteDomain, downtime: uint64(), flags }),
    nothing,
  ),
  domainCreateWithFlags: procedure(196, ofDomain, domainReply),
  domainMigrateSetMaxSpeed: procedure(207, struct('args', { dom: remoteDomain, bandwidth: uint64(), flags }), nothing),
  domainGetState: procedure(212, ofDomain, struct('ret', { state: int32(), reason: int32() })),
  domainUndefineFlags: procedure(231, ofDomain, nothing),
  domainDestroyFlags: procedure(234, ofDomain, nothing),
  domainReset: procedure(245, ofDomain, nothing),
  domainShutdownFlags: procedure(258, ofDomain, nothing),
  connectListAllDomains: procedure(
    273,
    all,
    struct('ret', { domains: array(remoteDomain, DOMAIN_LIST_MAX), ret: uint32() }),
  ),
  storagePoolListAllVolumes: procedure(
    282,
    struct('args', { pool: remotePool, needResults: int32(), flags }),
    struct('ret', { vols: array(remoteVolume, VOLUME_LIST_MAX), ret: uint32() }),
  ),
  connectListAllNodeDevices: procedure(
    285,
    all,
    struct('ret', {
      devices: array(struct('remote_nonnull_node_device', { name: nonnullString }), NODE_DEVICE_LIST_MAX),
      ret: uint32(),
    }),
  ),
  domainGetJobStats: procedure(298, ofDomain, struct('ret', { type: int32(), params: typedParams })),
  domainMigratePerform3Params: procedure(
    305,
    struct('args', {
      dom: remoteDomain,
      dconnuri: optionalString,
      params: array(typedParam, MIGRATE_PARAMS_MAX),
      cookie: varOpaque(MIGRATE_COOKIE_MAX),
      flags,
    }),
    struct('ret', { cookie: varOpaque(MIGRATE_COOKIE_MAX) }),
  ),
  connectDomainEventCallbackRegisterAny: procedure(
    316,
    struct('args', { eventId: int32(), dom: option(remoteDomain) }),
    struct('ret', { callbackId: int32() }),
  ),
  nodeGetFreePages: procedure(
    340,
    struct('args', { pages: array(uint32(), NODE_MAX_CELLS), startCell: int32(), cellCount: uint32(), flags }),
    struct('ret', { counts: array(uint64(), NODE_MAX_CELLS) }),
  ),
  connectGetAllDomainStats: procedure(
    344,
    struct('args', { doms: array(remoteDomain, DOMAIN_LIST_MAX), stats: uint32(), flags }),
    struct('ret', {
      retStats: array(
        struct('remote_domain_stats_record', { dom: remoteDomain, params: array(typedParam, STATS_PARAMS_MAX) }),
        DOMAIN_LIST_MAX,
      ),
    }),
  ),
  domainDefineXmlFlags: procedure(350, struct('args', { xml: nonnullString, flags }), domainReply),
  domainMigrateStartPostCopy: procedure(364, ofDomain, nothing),
  domainStartDirtyRateCalc: procedure(427, struct('args', { dom: remoteDomain, seconds: int32(), flags }), nothing),
} as const

/** Unsolicited messages of the daemon, with the event id to subscribe to (libvirt-domain.h, virDomainEventID). */
export const EVENTS = {
  lifecycle: {
    eventId: 0, // VIR_DOMAIN_EVENT_ID_LIFECYCLE
    procedure: 318, // REMOTE_PROC_DOMAIN_EVENT_CALLBACK_LIFECYCLE
    message: struct('remote_domain_event_callback_lifecycle_msg', {
      callbackId: int32(),
      dom: remoteDomain,
      event: int32(),
      detail: int32(),
    }),
  },
  migrationIteration: {
    eventId: 20, // VIR_DOMAIN_EVENT_ID_MIGRATION_ITERATION
    procedure: 359,
    message: struct('remote_domain_event_callback_migration_iteration_msg', {
      callbackId: int32(),
      dom: remoteDomain,
      iteration: int32(),
    }),
  },
  jobCompleted: {
    eventId: 21, // VIR_DOMAIN_EVENT_ID_JOB_COMPLETED
    procedure: 363,
    message: struct('remote_domain_event_callback_job_completed_msg', {
      callbackId: int32(),
      dom: remoteDomain,
      params: typedParams,
    }),
  },
} as const

export const AUTH = { none: 0, sasl: 1, polkit: 2 } as const // enum remote_auth_type
export const FEATURE_KEEPALIVE = 10 // libvirt_internal.h, VIR_DRV_FEATURE_PROGRAM_KEEPALIVE
export const CONNECT_READ_ONLY = 1 // libvirt-host.h, VIR_CONNECT_RO
export const LIST_PCI_DEVICES = 2 // libvirt-nodedev.h, VIR_CONNECT_LIST_NODE_DEVICES_CAP_PCI_DEV
export const JOB_COMPLETED = 1 // libvirt-domain.h, VIR_DOMAIN_JOB_STATS_COMPLETED
export const JOB_KEEP_COMPLETED = 2 // libvirt-domain.h, VIR_DOMAIN_JOB_STATS_KEEP_COMPLETED
/** libvirt-domain.h, VIR_DOMAIN_STATS_BALLOON and VIR_DOMAIN_STATS_DIRTYRATE. */
export const STATS_MEMORY = 4 | 512
export const XML_SECURE = 1 // libvirt-domain.h, VIR_DOMAIN_XML_SECURE
export const XML_INACTIVE = 2 // VIR_DOMAIN_XML_INACTIVE
export const XML_MIGRATABLE = 8 // VIR_DOMAIN_XML_MIGRATABLE
export const SHUTDOWN_ACPI = 1 // VIR_DOMAIN_SHUTDOWN_ACPI_POWER_BTN
/** VIR_DOMAIN_UNDEFINE_MANAGED_SAVE, SNAPSHOTS_METADATA, KEEP_NVRAM, CHECKPOINTS_METADATA. */
export const UNDEFINE_ALL_BUT_NVRAM = 1 | 2 | 8 | 16

/** libvirt-domain.h, virDomainMigrateFlags. */
export const MIGRATE = {
  live: 1,
  peerToPeer: 1 << 1,
  persistDestination: 1 << 3,
  undefineSource: 1 << 4,
  nonSharedDisk: 1 << 6,
  autoConverge: 1 << 13,
  postCopy: 1 << 15,
  tls: 1 << 16,
  parallel: 1 << 17,
} as const

/** virTypedParameterType of libvirt-common.h, for parameters that we send. */
export const PARAM = { int: 1, ullong: 4, text: 7 } as const
