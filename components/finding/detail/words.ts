import type { Agreement } from '@/server/api/drift/agreement'
import type { Severity, Source } from '@/server/api/finding/view'
import type { BadgeContent } from '../../ui/Badge'

// Words of one finding and of the comparisons, which load when they are opened; those of the lists load with a page.

export const severityMeans: Readonly<Record<Severity, string>> = {
  critical: 'instances or their guarantees are at risk',
  warning: 'capacity is wasted',
  info: 'something is unknown or inconsistent',
}

export const sourceWords: Readonly<Record<Source, string>> = {
  records: 'Records',
  allocations: 'Allocations',
  hypervisor: 'Hypervisor',
}

export const detailWords = {
  evidence: 'Evidence',
  evidenceColumns: { source: 'Source', host: 'Host', says: 'Reported', at: 'Age' },
  ageUnknown: 'an answer with a time',
  plansOf: 'Repairs of this finding',
  noPlans: 'No repair yet.',
  place: {
    title: (unit: string) => `Findings at ${unit}`,
    none: 'No discrepancies here.',
    history: 'Earlier findings here',
    until: 'until',
  },
  drift: {
    title: 'Records, allocations, hypervisor',
    instance: 'Instance',
    agree: 'Agree',
    findings: 'Findings',
    at: (source: string) => `${source}, age`,
    badges: {
      agree: { shape: 'tick', tone: 'ok', label: 'agree' },
      differ: { shape: 'cross', tone: 'bad', label: 'differ' },
      found: { shape: 'triangle', tone: 'warn', label: 'finding' },
      unknown: { shape: 'unknown', tone: 'warn', label: 'unknown' },
    } satisfies Record<Agreement, BadgeContent>,
    empty: 'Nothing to compare',
    emptyMore: 'No instance is recorded, claimed or observed here.',
    onlyDiffering: 'Differences only',
    all: 'All',
    show: 'Show',
  },
  devices: {
    title: 'Devices: records and hypervisor',
    unit: 'Device',
    host: 'Host',
    label: 'Kind',
    empty: 'No device to compare',
    emptyMore: 'The host has no assignable devices, or the instance has none.',
  },
} as const
