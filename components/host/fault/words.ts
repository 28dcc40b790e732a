import type { DriverOperationKind } from '@/server/api/simulator/controls'
import type { BadgeContent } from '../../ui/Badge'

// Texts of the faults of a simulated host.

export const faultWords = {
  title: 'Faults on this simulated host',
  power: {
    running: { shape: 'dot', tone: 'ok', label: 'running' },
    silent: { shape: 'triangle', tone: 'warn', label: 'silent' },
    fenced: { shape: 'square', tone: 'warn', label: 'fenced' },
    booting: { shape: 'ring', tone: 'warn', label: 'starting up' },
    killed: { shape: 'cross', tone: 'bad', label: 'killed' },
  } satisfies Record<string, BadgeContent>,
  do: {
    'go-silent': { label: 'Go silent', hint: 'stops answering; its instances keep running' },
    return: { label: 'Return', hint: 'answers again with the domains it has; after a power loss it boots first' },
    fence: { label: 'Fence', hint: 'powered off; may return' },
    kill: { label: 'Kill', hint: 'powered off, and its instances with it' },
    'power-cycle': { label: 'Power cycle', hint: 'off and on again: it boots, and its instances stay off' },
    'clear-faults': { label: 'Clear planned faults', hint: 'removes every planned fault' },
  },
  next: 'Driver operation',
  outcome: 'Outcome',
  outcomes: {
    fail: 'fail',
    'lose-answer': 'succeed, but lose the answer',
    half: 'stop halfway',
  },
  plan: 'Plan fault',
  planned: 'Planned',
  nothingPlanned: 'none',
  device: 'Device',
  noDevice: 'This host has no assignable devices.',
  pickDevice: 'Choose a device first.',
  devices: {
    'take-device': 'Remove',
    'put-device-back': 'Put back',
    'keep-attached': 'Keep attached',
    'detach-device': 'Detach',
  },
  missing: (units: string) => `Removed: ${units}`,
  keptAttached: (units: string) => `Kept attached: ${units}`,
  deviceOf: (unit: string, label: string, holder: string | null) => `${unit}, ${label}${holder ? `, ${holder}` : ''}`,
  bandwidth: 'Migration bandwidth, MiB/s',
  set: 'Set',
  done: 'Fault applied',
  doneMore: (host: string) => `on ${host}; the next survey shows its effect.`,
} as const

export const driverOperationWords: Readonly<Record<DriverOperationKind, string>> = {
  prepare: 'prepare',
  transfer: 'transfer',
  stopTransfer: 'stop the transfer',
  forceTransfer: 'force the transfer',
  locate: 'locate the domain',
  runAt: 'start the domain',
  clean: 'clean up',
  build: 'build',
  destroy: 'destroy',
  power: 'change power',
}
