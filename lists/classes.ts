/** The resource classes that every fleet has. A file of its own, so that a page that names amounts loads no list. */
export const MAIN_CLASSES = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'] as const
