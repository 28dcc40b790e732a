export const eventWords = {
  title: 'Events',
  empty: 'No event yet',
  emptyMore: 'What changes is written here with its cause, and never changed.',
  columns: {
    at: 'Time, UTC',
    kind: 'What',
    count: 'Events',
    since: 'First, UTC',

    who: 'Who',
    reason: 'Reason',
    on: 'On',
    instance: 'Instance',
    instanceId: 'Instance id',
    hosts: 'Hosts',
    hostIds: 'Host ids',
    migrationId: 'Migration id',
    request: 'Request',
    data: 'Facts',
  },
  older: 'Older events',
  repeated: (n: number, time: string) => `${n} times in ${time}`,
  repeatedFrom: (at: string) => `First at ${at} UTC`,
} as const

/** `migration.claimed` → `migration claimed`: the noun and what became true, as the record names it. */
export const kindText = (kind: string) => kind.replace(/[.-]/g, ' ')
