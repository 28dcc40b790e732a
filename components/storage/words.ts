import { count } from '../ui/format'

export const storageWords = {
  key: 'Shared storage',
  what: 'shared storage',
  none: 'none: disks lie on the host',
  share: (name: string, used: number, total: number) => `${name}: ${count(used)} of ${count(total)} GiB in use`,
  join: 'Join shared storage',
  leave: 'Leave shared storage',
  choose: 'Shared storage',
  fresh: 'New shared storage…',
  name: 'Name',
  total: 'Size (GiB)',
  own: 'Own disk from then on (GiB)',
  joins: (host: string) =>
    `Disks of instances on ${host} are claimed at the storage from then on. Its own disk is no longer offered.`,
  leaves: (host: string) => `Disks of instances on ${host} are claimed on the host from then on.`,
  empty: 'This is refused while an instance keeps a disk where it would be missed.',
  joined: (host: string) => `${host} joined shared storage`,
  left: (host: string) => `${host} left shared storage`,
  chooseFirst: 'Choose a shared storage.',
} as const
