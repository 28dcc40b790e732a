/** The kinds of hypervisor. Each has a folder in server/drivers. */
export const DRIVER_KINDS = ['simulated', 'libvirt', 'openstack'] as const
export type DriverKind = (typeof DRIVER_KINDS)[number]
