import type { CloudDrainView } from '@/server/api/cloud/drain-router'
import type { BadgeContent } from '../../ui/Badge'
import { count } from '../../ui/format'

export const cloudDrainBadges: Readonly<Record<CloudDrainView['state'], BadgeContent>> = {
  going: { shape: 'half', tone: 'flow', label: 'draining' },
  done: { shape: 'tick', tone: 'ok', label: 'drained' },
  left: { shape: 'triangle', tone: 'warn', label: 'not empty' },
  stopped: { shape: 'pause', tone: 'idle', label: 'stopped' },
}

const METHODS = { 'live-migrate': 'live', migrate: 'cold' } as const

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
    `${count(migrations)} ${migrations === 1 ? 'migration' : 'migrations'} in ${count(batches)} ${batches === 1 ? 'batch' : 'batches'}`,
  batch: (batch: number) => `Batch ${count(batch + 1)}`,
  migration: (name: string, verb: keyof typeof METHODS, host: string) => `${name} to ${host}, ${METHODS[verb]}`,
  stays: (stays: number) => `${count(stays)} ${stays === 1 ? 'instance stays' : 'instances stay'}`,
  stay: (name: string, why: string) => `${name}: ${why}`,
  gone: 'The cloud does not list the host any more.',
} as const
