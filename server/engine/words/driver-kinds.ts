/** The kinds of hypervisor that have a driver, each in its folder of server/drivers. */
export const DRIVEN_KINDS = ['simulated', 'libvirt'] as const

/** `openstack` has no driver yet: the database permits it, but hosts of watched clouds are not hosts of Berth. */
export const DRIVER_KINDS = [...DRIVEN_KINDS, 'openstack'] as const
export type DriverKind = (typeof DRIVER_KINDS)[number]
