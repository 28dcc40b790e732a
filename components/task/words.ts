import type { TaskView } from '@/server/api/task/router'
import type { RequestedAction } from '@/server/engine/migration/state'
import { cloudActionLabels } from '../cloud/action/words'
import { kindText } from '../event/words'
import { operationWords } from '../step/words'
import type { BadgeContent } from '../ui/Badge'

export const taskWords = {
  title: 'Tasks',
  recent: 'Recent tasks',
  all: 'All tasks',
  facts: 'What people and programs requested, with requester and result.',
  filter: 'Object, person or id',
  empty: 'No task yet',
  emptyMore: 'Migrations, host actions, repairs and changes of settings are listed here as soon as they are requested.',
  emptyFiltered: 'No task matches',
  emptyFilteredMore: 'Clear the filter to see every task.',
  instance: 'Instance',
  instanceId: 'Instance id',
  hosts: 'Hosts',
  moreHosts: (n: number) => `and ${n} more`,
  nobody: 'unknown',
  instant: '< 1 s',
} as const

export const resultBadges: Readonly<Record<TaskView['result'], BadgeContent>> = {
  running: { shape: 'half', tone: 'flow', label: 'running' },
  waiting: { shape: 'pause', tone: 'warn', label: 'waiting' },
  blocked: { shape: 'cross', tone: 'bad', label: 'blocked' },
  completed: { shape: 'tick', tone: 'ok', label: 'completed' },
  reverted: { shape: 'outof', tone: 'idle', label: 'reverted' },
  aborted: { shape: 'outof', tone: 'idle', label: 'aborted' },
  failed: { shape: 'cross', tone: 'bad', label: 'failed' },
  unknown: { shape: 'unknown', tone: 'idle', label: 'unknown' },
}

const actionTasks: Readonly<Record<RequestedAction, string>> = {
  abort: 'Abort migration',
  confirm: 'Confirm migration',
  revert: 'Revert migration',
  'force-complete': 'Force-complete migration',
  retry: 'Retry migration',
}

const tasks: Readonly<Record<string, string>> = {
  'instance.claimed': 'Build instance',
  'instance.adopted': 'Import instance',
  'instance.deleting': 'Delete instance',
  'instance.power-requested start': 'Start instance',
  'instance.power-requested stop': 'Stop instance',
  'instance.power-requested reboot': 'Reboot instance',
  'instance.power-requested pause': 'Pause instance',
  'instance.power-requested resume': 'Resume instance',
  'host.status up': 'Mark host as up',
  'host.status down': 'Mark host as down',
  'host.status fenced': 'Mark host as fenced',
  'host.status lost': 'Mark host as permanently lost',
  'host.scheduling enabled': 'Enable scheduling',
  'host.scheduling disabled': 'Disable scheduling',
  'fencing.asked': 'Fence host',
  'host.storage-joined': 'Join shared storage',
  'host.storage-left': 'Leave shared storage',
  'host.memory': 'Change memory policy',
  'host.rule': 'Change power rule',
  'hosts.put': 'Import hosts',
  'host.connected': 'Connect host',
  'migration.limited': 'Change transfer limits',
  'instance.memory-measured': 'Measure memory',
  'run.started': 'Drain or evacuate host',
  'heal.applied': 'Apply repair',
  'heal.rule': 'Change automatic repair',
  'proposal.made': 'Request approval',
  'setting.changed': 'Change settings',
  'catalog.flavor': 'Change flavor',
  'catalog.group': 'Change server group',
  'catalog.alias': 'Change PCI alias',
  'layout.healed': 'Convert to nested',
  'cloud.added': 'Add cloud',
  'cloud.changed': 'Change cloud',
  'cloud.removed': 'Remove cloud',
  'cloud.call': 'Send call to cloud',
  'cloud.drain-started': 'Drain host',
  ...Object.fromEntries(Object.entries(cloudActionLabels).map(([kind, { verb }]) => [`cloud.call ${kind}`, verb])),
  'alarm.acknowledged': 'Acknowledge alarm',
  'alarm.muted': 'Mute alarm',
  'alarm.unmuted': 'Unmute alarm',
  'placement.released-for-owner': 'Release allocation',
  'user.created': 'Add user',
  'user.role': 'Change role',
  'user.grants': 'Change scoped roles',
  'user.password': 'Set password',
  'user.password-changed': 'Change own password',
  'user.removed': 'Remove user',
  'user.two-factor-started': 'Set up two-factor sign-in',
  'user.two-factor-enabled': 'Turn on two-factor sign-in',
  'user.two-factor-disabled': 'Turn off two-factor sign-in',
  'user.two-factor-reset': 'Reset two-factor sign-in',
  'session.ended': 'End sessions',
  'token.created': 'Create token',
  'token.revoked': 'Revoke token',
}

/** A task named as on the button that starts it; kinds without a button are named as their record. */
export function taskText({
  action,
  operation,
  requestedAction,
  to,
}: Pick<TaskView, 'action' | 'operation' | 'requestedAction' | 'to'>): string {
  if (requestedAction) return actionTasks[requestedAction]
  if (operation) {
    const { noun } = operationWords[operation]
    return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`
  }
  const known = tasks[`${action} ${to}`] ?? tasks[action]
  if (known) return known
  const text = kindText(action)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
