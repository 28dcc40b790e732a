import type { HostContact } from '@/server/api/host/view'
import type { HostScheduling, HostStatus } from '@/server/engine/host'
import type { BadgeContent } from '../../ui/Badge'

// Apart from the other texts of hosts: the overview shows states of all hosts, and nothing else of a host.

export const statusBadges: Readonly<Record<HostStatus, BadgeContent>> = {
  up: { shape: 'dot', tone: 'ok', label: 'up' },
  down: { shape: 'triangle', tone: 'bad', label: 'down' },
  fenced: { shape: 'square', tone: 'warn', label: 'fenced' },
  lost: { shape: 'cross', tone: 'bad', label: 'lost' },
}

/** Hosts that are recorded as up but do not answer, or never did. */
export const contactBadges: Readonly<Record<Exclude<HostContact, 'answering'>, BadgeContent>> = {
  silent: { shape: 'unknown', tone: 'bad', label: 'no answer' },
  'never-answered': { shape: 'dash', tone: 'warn', label: 'never answered' },
}

interface ShownStatus {
  readonly status: HostStatus
  readonly contact: HostContact | null
}

/** The badge of a host where there is space for only one. A host shows as up only while it answers. */
export const statusBadge = ({ status, contact }: ShownStatus): BadgeContent =>
  contact === null || contact === 'answering' ? statusBadges[status] : contactBadges[contact]

export const schedulingBadges: Readonly<Record<HostScheduling, BadgeContent>> = {
  enabled: { shape: 'ring', tone: 'idle', label: 'enabled' },
  disabled: { shape: 'pause', tone: 'warn', label: 'disabled' },
  quarantined: { shape: 'diamond', tone: 'bad', label: 'quarantined' },
}

export const hostMigrationsText = (into: number, out: number): string =>
  [into > 0 ? `${into} in` : null, out > 0 ? `${out} out` : null].filter(Boolean).join(', ')
