// Storage pools of a libvirt daemon and the volumes in them. Berth creates disks in one pool of a host; the pool itself
// belongs to its operator, and so does every volume in it that Berth did not create. Source: libvirt-storage.h.

export interface StorageControl {
  /** Null when no active pool has that name. */
  pool(name: string): Promise<StoragePool | null>
  /** Has the daemon read the pool again: files may have changed without it. Slow in a large pool. */
  refreshPool(name: string): Promise<void>
  /** The names of all volumes that the daemon knows. */
  volumes(pool: string): Promise<readonly string[]>
  /** XML of the volume; null when the daemon has none of that name. */
  volumeXml(pool: string, name: string): Promise<string | null>
  /** Refused when there is one of that name. */
  createVolume(pool: string, xml: string): Promise<void>
  /** Refused when there is none. */
  deleteVolume(pool: string, name: string): Promise<void>
}

export interface StoragePool {
  readonly capacityBytes: number
  readonly availableBytes: number
}
