import { count } from '../ui/format'

export const storageWords = {
  key: 'Shared storage',
  none: 'none: disks are local',
  share: (name: string, used: number, total: number) => `${name}: ${count(used)} of ${count(total)} GiB in use`,
  join: 'Join shared storage',
  leave: 'Leave shared storage',
  choose: 'Shared storage',
  fresh: 'New shared storage…',
  name: 'Name',
  total: 'Size (GiB)',
  own: 'Remaining local disk (GiB)',
  joins: (host: string) =>
    `Disks of instances on ${host} will be claimed from the shared storage. Its local disk is no longer offered.`,
  leaves: (host: string) => `Disks of instances on ${host} will be claimed from its local disk.`,
  empty: 'This is refused while instances of the host still have disks on the old storage.',
  joined: (host: string) => `${host} joined shared storage`,
  left: (host: string) => `${host} left shared storage`,
  chooseFirst: 'Choose a shared storage.',
} as const
