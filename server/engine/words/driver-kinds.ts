/**
 * The kinds of hypervisor. Each has a folder in server/drivers, but for `openstack`: no driver has it yet, and hosts of
 * watched clouds are not hosts of Berth.
 */
export const DRIVER_KINDS = ['simulated', 'libvirt', 'openstack'] as const
export type DriverKind = (typeof DRIVER_KINDS)[number]
