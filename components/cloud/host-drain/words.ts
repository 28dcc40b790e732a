import type { CloudDrainView } from '@/server/api/cloud/drain-router'
import type { StateLook } from '../../ui/Badge'
import { count } from '../../ui/format'

export const cloudDrainLooks: Readonly<Record<CloudDrainView['state'], StateLook>> = {
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
    `Disables the service of ${host} with your reason, then has Nova migrate its instances, by the plan below as it stands when each of them goes.`,
  stopMeans:
    'No further migration is begun. What Nova is doing goes on, and the service stays disabled until somebody enables it.',
  cold: 'Migrate cold what cannot go live, and confirm it: its guest is off meanwhile',
  most: 'Migrations at the same time',
  mostHelp: 'Nova has a limit of its own for each host; what it queues is waited for.',
  plan: 'Plan',
  none: 'Nothing is on the host.',
  moves: (moves: number, batches: number) =>
    `${count(moves)} ${moves === 1 ? 'migration' : 'migrations'} in ${count(batches)} ${batches === 1 ? 'batch' : 'batches'}`,
  batch: (batch: number) => `Batch ${count(batch + 1)}`,
  move: (name: string, verb: keyof typeof METHODS, host: string) => `${name} to ${host}, ${METHODS[verb]}`,
  stays: (stays: number) => `${count(stays)} ${stays === 1 ? 'instance stays' : 'instances stay'}`,
  stay: (name: string, why: string) => `${name}: ${why}`,
  gone: 'The cloud does not list the host any more.',
} as const
