export const eventWords = {
  title: 'Events',
  empty: 'No event yet',
  emptyMore: 'Every change is recorded here with its cause.',
  columns: {
    at: 'Time',
    kind: 'Event',
    count: 'Events',
    since: 'First',

    who: 'Who',
    reason: 'Reason',
    on: 'On',
    instance: 'Instance',
    instanceId: 'Instance id',
    hosts: 'Hosts',
    hostIds: 'Host ids',
    migrationId: 'Migration id',
    request: 'Request',
    data: 'Details',
  },
  auditLog: 'Audit log entries',
  older: 'Older events',
  repeated: (n: number, time: string) => `${n} times in ${time}`,
  repeatedFrom: (at: string) => `First at ${at} UTC`,
} as const

/** Kinds whose parts are not a sentence, or not in the words of the screens. */
const texts: Readonly<Record<string, string>> = {
  'host.made': 'host added',
  'host.remain-cleaned': 'leftover cleaned up',
  'host.cleaned': 'host cleaned up',
  'hosts.put': 'hosts imported',
  'host.status': 'host status changed',
  'host.scheduling': 'host scheduling changed',
  'host.memory': 'memory policy changed',
  'host.rule': 'power rule changed',
  'heal.rule': 'automatic repair changed',
  'layout.healed': 'host converted to nested',
  'migration.turned-back': 'migration rolling back',
  'migration.went-on': 'migration continued',
  'proposal.made': 'approval requested',
  'run.move-began': 'planned migration started',
  'run.move-steered': 'planned migration changed',
  'run.move-given-up': 'planned migration given up',
  'run.guest-stopping': 'stop of an instance requested',
  'run.guest-stopped': 'instance stopped',
  'run.guest-not-stopped': 'instance not stopped',
  'fencing.asked': 'fencing requested',
  'cloud.call': 'cloud call started',
  'cloud.called': 'cloud call ended',
}

/** `migration.claimed` → `migration claimed` */
export const kindText = (kind: string) => texts[kind] ?? kind.replace(/[.-]/g, ' ')
