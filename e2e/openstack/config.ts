import fs from 'node:fs'
import path from 'node:path'

// The configuration of a whole control plane on loopback. Either four computes on Nova's fake driver, whose live
// migrations take as long as a test needs (nova/patient.py; those of the original driver end after five seconds, too
// soon to abort one). Or two computes on Nova's libvirt driver, with real domains.

export const PORTS = {
  ...{ mysql: 27306, amqp: 27672, erlang: 27673, epmd: 27369, keystone: 27500, placement: 27778, nova: 27774 },
  ...{ standIns: 27700, front: 27710, gate: 27720 },
} as const
export const COMPUTES = ['cmp1', 'cmp2', 'cmp3', 'cmp4'] as const
export const HYPERVISORS = ['hv1', 'hv2'] as const
export type Hypervisor = (typeof HYPERVISORS)[number]
export type Compute = (typeof COMPUTES)[number] | Hypervisor
export const isHypervisor = (host: Compute): host is Hypervisor => HYPERVISORS.some((each) => each === host)

/** Loopback addresses. */
export const ADDRESSES: Readonly<Record<Hypervisor, string>> = { hv1: '127.97.20.1', hv2: '127.97.20.2' }
export const hypervisorFolder = (rig: string, host: Hypervisor) => `${rig}/${host}`
export const socketFolder = (rig: string, host: Hypervisor) => `${hypervisorFolder(rig, host)}/run`
export const socketPath = (rig: string, host: Hypervisor) => `${socketFolder(rig, host)}/libvirt-sock`
/** Mount point at which each hypervisor has its own disks. */
export const instancesFolder = (rig: string) => `${rig}/instances`
/** Dedicated CPUs, of the sixteen of a hypervisor. */
export const DEDICATED_CPUS = '1-3,5-7,9-11,13-15'
export const PASSWORD = 'opens-the-rig'

const at = (port: number, rest = '') => `http://127.0.0.1:${port}${rest}`
export const KEYSTONE = at(PORTS.keystone, '/v3')
export const NOVA = at(PORTS.nova, '/v2.1')
export const PLACEMENT = at(PORTS.placement)
export const STAND_INS = at(PORTS.standIns)
/** Nova's route to Placement: a proxy that can be shut. */
export const GATE = at(PORTS.gate)
/** The public endpoints of the catalog: a proxy that records every request. */
export const FRONT = at(PORTS.front)

const QUEUE = `rabbit://guest:guest@127.0.0.1:${PORTS.amqp}/`

type Sections = Readonly<Record<string, Readonly<Record<string, string | number>>>>

const ini = (sections: Sections): string =>
  Object.entries(sections)
    .map(([name, values]) =>
      [`[${name}]`, ...Object.entries(values).map(([key, value]) => `${key} = ${value}`), ''].join('\n'),
    )
    .join('\n')

const database = (name: string) => ({
  connection: `mysql+pymysql://root@127.0.0.1:${PORTS.mysql}/${name}?charset=utf8`,
})

const account = (username: string) => ({
  ...{ auth_type: 'password', auth_url: KEYSTONE, username, password: PASSWORD, project_name: 'service' },
  ...{ user_domain_id: 'default', project_domain_id: 'default' },
})

const tokens = (username: string) => ({
  ...{ ...account(username), www_authenticate_uri: KEYSTONE, service_token_roles_required: 'false' },
})

const nova = (folder: string): Sections => ({
  DEFAULT: {
    ...{ my_ip: '127.0.0.1', state_path: `${folder}/state`, use_journal: 'false', enabled_apis: 'osapi_compute' },
    ...{ transport_url: QUEUE, rpc_response_timeout: 30 },
    allow_resize_to_same_host: 'false',
    ...{ osapi_compute_listen: '127.0.0.1', osapi_compute_listen_port: PORTS.nova, osapi_compute_workers: 1 },
    ...{ service_down_time: 20, report_interval: 4, update_resources_interval: 20 },
  },
  api: { auth_strategy: 'keystone' },
  keystone_authtoken: tokens('nova'),
  api_database: database('nova_api'),
  database: database('nova'),
  wsgi: { api_paste_config: `${folder}/api-paste.ini` },
  oslo_concurrency: { lock_path: `${folder}/state/lock` },
  // From the catalog, as in a cloud that switches to another Placement.
  placement: { ...account('placement'), valid_interfaces: 'internal', region_name: 'RegionOne' },
  glance: { endpoint_override: `${STAND_INS}/glance`, enable_certificate_validation: 'false' },
  neutron: { ...account('nova'), endpoint_override: `${STAND_INS}/neutron` },
  scheduler: { workers: 1, discover_hosts_in_cells_interval: 5 },
  conductor: { workers: 1 },
  vnc: { enabled: 'false' },
  // Services start before the message queue, so they retry often.
  oslo_messaging_rabbit: { rabbit_interval_max: 2 },
  oslo_messaging_notifications: { driver: 'messagingv2' },
  notifications: { notification_format: 'versioned', notify_on_state_change: 'vm_and_task_state' },
  quota: { instances: 1000, cores: 100_000, ram: 100_000_000 },
})

const patient = (folder: string, host: Compute): Sections => ({
  DEFAULT: { host, state_path: `${folder}/state/${host}`, compute_driver: 'patient.PatientDriver' },
})

/** Slow enough for the tests, on a machine without KVM. */
const LIVE_MIB_PER_S = 4

const libvirt = (folder: string, host: Hypervisor): Sections => ({
  DEFAULT: {
    ...{ host, state_path: `${folder}/state/${host}`, compute_driver: 'libvirt.LibvirtDriver' },
    ...{ my_ip: ADDRESSES[host], instances_path: instancesFolder(folder), reserved_host_memory_mb: 0 },
    force_raw_images: 'false',
  },
  oslo_concurrency: { lock_path: `${folder}/state/${host}/lock` },
  compute: { cpu_dedicated_set: DEDICATED_CPUS, cpu_shared_set: '0,4,8,12' },
  libvirt: {
    ...{ virt_type: 'qemu', cpu_mode: 'none', connection_uri: 'qemu:///system' },
    ...{ live_migration_uri: 'qemu+tcp://%s/system', live_migration_inbound_addr: ADDRESSES[host] },
    live_migration_bandwidth: LIVE_MIB_PER_S,
  },
  // Otherwise Nova inspects the kernel of an instance as a disk and refuses to live-migrate it.
  workarounds: { disable_deep_image_inspection: 'true' },
  // nova-compute is root already.
  nova_sys_admin: {
    helper_command: `/usr/bin/privsep-helper --config-file ${folder}/nova.conf --config-file ${folder}/${host}.conf`,
  },
})

/** The part of Nova's own file that a compute API request passes through. */
const PASTE: Sections = {
  'composite:osapi_compute': {
    ...{ use: 'call:nova.api.openstack.urlmap:urlmap_factory', '/': 'versions', '/v2.1': 'compute' },
  },
  'composite:compute': {
    use: 'call:nova.api.auth:pipeline_factory_v21',
    keystone: 'request_id fault size authtoken context application',
  },
  'pipeline:versions': { pipeline: 'fault version_application' },
  'filter:request_id': { 'paste.filter_factory': 'nova.api.compute_req_id:ComputeReqIdMiddleware.factory' },
  'filter:fault': { 'paste.filter_factory': 'nova.api.openstack:FaultWrapper.factory' },
  'filter:size': { 'paste.filter_factory': 'oslo_middleware:RequestBodySizeLimiter.factory' },
  'filter:authtoken': { 'paste.filter_factory': 'keystonemiddleware.auth_token:filter_factory' },
  'filter:context': { 'paste.filter_factory': 'nova.api.auth:NovaKeystoneContext.factory' },
  'app:application': { 'paste.app_factory': 'nova.api.openstack.compute:APIRouterV21.factory' },
  'app:version_application': { 'paste.app_factory': 'nova.api.openstack.compute.versions:Versions.factory' },
}

const wsgi = (program: string, environment: string, importing: string) => `import os, sys
os.environ.update(${environment})
sys.argv = ['${program}']
${importing}
`

export function writeConfiguration(folder: string, computes: readonly Compute[]): void {
  const write = (name: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), text)
  }
  for (const name of ['log', 'state/lock', 'rabbit', 'mysql'])
    fs.mkdirSync(path.join(folder, name), { recursive: true })
  write('nova.conf', ini(nova(folder)))
  write('api-paste.ini', ini(PASTE))
  for (const host of computes)
    write(`${host}.conf`, ini(isHypervisor(host) ? libvirt(folder, host) : patient(folder, host)))
  write(
    'placement/placement.conf',
    ini({
      ...{ DEFAULT: { log_dir: `${folder}/log` }, api: { auth_strategy: 'keystone' } },
      ...{ keystone_authtoken: tokens('placement'), placement_database: database('placement') },
    }),
  )
  write(
    'keystone.conf',
    ini({
      ...{ DEFAULT: { log_dir: `${folder}/log` }, database: database('keystone'), token: { provider: 'fernet' } },
      ...{ fernet_tokens: { key_repository: `${folder}/state/fernet` }, cache: { enabled: 'false' } },
      credential: { key_repository: `${folder}/state/credentials` },
    }),
  )
  write(
    'placement_wsgi.py',
    wsgi(
      'placement',
      `{'OS_PLACEMENT_CONFIG_DIR': '${folder}/placement'}`,
      'from placement.wsgi import init_application\napplication = init_application()',
    ),
  )
  write(
    'keystone_wsgi.py',
    wsgi(
      'keystone',
      `{'OS_KEYSTONE_CONFIG_FILES': '${folder}/keystone.conf', 'OS_KEYSTONE_CONFIG_DIR': '${folder}'}`,
      'from keystone.server.wsgi import initialize_public_application\napplication = initialize_public_application()',
    ),
  )
  write(
    'rabbit/rabbitmq.conf',
    `listeners.tcp.1 = 127.0.0.1:${PORTS.amqp}\nvm_memory_high_watermark.absolute = 256MiB\ndisk_free_limit.absolute = 100MB\n`,
  )
  write('rabbit/advanced.config', '[{kernel,[{inet_dist_use_interface,{127,0,0,1}}]}].\n')
  write('rabbit/enabled_plugins', '[].\n')
}

/** Name of the cloud in Berth that receives notifications; any other cloud polls the same Nova. */
export const NOTIFYING = 'notifying'
export const NOTIFICATIONS_YAML = `clouds: {${NOTIFYING}: {transport_url: '${QUEUE}'}}`

export const CLOUDS_YAML = `clouds:
  rig:
    region_name: RegionOne
    auth:
      auth_url: ${FRONT}/identity/v3
      username: admin
      project_name: admin
      user_domain_id: default
      project_domain_id: default
`
export const SECURE_YAML = `clouds: {rig: {auth: {password: ${PASSWORD}}}}`
