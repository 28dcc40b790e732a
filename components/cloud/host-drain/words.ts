import type { CloudDrainView } from '@/server/api/cloud/drain-router'
import type { BadgeContent } from '../../ui/Badge'
import { plural } from '../../ui/format'

export const cloudDrainBadges: Readonly<Record<CloudDrainView['state'], BadgeContent>> = {
  going: { shape: 'half', tone: 'flow', label: 'draining' },
  done: { shape: 'tick', tone: 'ok', label: 'drained' },
  left: { shape: 'triangle', tone: 'warn', label: 'not empty' },
  stopped: { shape: 'pause', tone: 'idle', label: 'stopped' },
}

/** How an instance leaves the host, or that it does not. */
export const cloudDrainMethods = {
  'live-migrate': { shape: 'dot', tone: 'ok', label: 'live' },
  migrate: { shape: 'pause', tone: 'warn', label: 'cold' },
  stays: { shape: 'triangle', tone: 'warn', label: 'stays' },
} as const satisfies Record<string, BadgeContent>

export const cloudDrainWords = {
  drain: 'Drain',
  actions: 'Actions of the drain',
  start: 'Drain host',
  stop: 'Stop drain',
  started: (host: string) => `${host} is being drained`,
  stopped: (host: string) => `The drain of ${host} is stopped`,
  means: (host: string) =>
    `Disables nova-compute on ${host} with your reason, then migrates its instances through Nova. The plan below is checked again before each migration.`,
  stopMeans:
    'No new migration starts. Active migrations continue, and the service stays disabled until somebody enables it.',
  cold: 'Cold-migrate and confirm instances that cannot live-migrate (downtime)',
  most: 'Migrations at the same time',
  mostHelp: 'Nova has its own limit per host; Berth waits for migrations that Nova queues.',
  plan: 'Plan',
  none: 'The host has no instances.',
  migrations: (migrations: number, batches: number) =>
    `${plural(migrations, 'migration')} in ${plural(batches, 'batch', 'batches')}`,
  stays: (stays: number) => plural(stays, 'instance stays', 'instances stay'),
  columns: { instance: 'Instance', to: 'To', method: 'Method', batch: 'Batch', why: 'Reason' },
  gone: 'The cloud does not list the host any more.',
} as const
