import type { AlarmDeliveryView, AlarmView } from '@/server/api/alarm/router'
import { kindWords } from '../finding/kind/words'
import type { BadgeContent } from '../ui/Badge'

/** Alarms are raised without an event so that they show when events are not published; hence the polling. */
export const ALARMS_REFETCH_MS = 10_000

export const alarmWords = {
  title: 'Alarms',
  facts: 'Conditions that need an operator now, and where they are sent.',
  what: 'alarms',
  open: 'Open alarms',
  ended: 'Ended alarms',
  none: 'No open alarms',
  noneMore: 'Conditions are evaluated every 10 seconds.',
  noneEnded: 'No alarm has ended yet',
  columns: {
    severity: 'Severity',
    title: 'Alarm',
    name: 'About',
    says: 'Condition',
    raised: 'Since',
    ended: 'Ended',
    state: 'State',
    actions: 'Actions',
  },
  runbook: (kind: string) => `Runbook: docs/runbooks/${kind}.md`,
  new: 'not acknowledged',
  acknowledgedBy: (who: string) => `acknowledged by ${who}`,
  muted: 'muted',
  acknowledge: 'Acknowledge',
  acknowledges: (title: string, name: string) =>
    `${title} (${name}) is marked as acknowledged by you and no longer counted. It stays open until the condition ends.`,
  acknowledged: 'Alarm acknowledged',
  mute: 'Mute',
  mutes: (title: string, name: string) => `${title} (${name}) is shown and not sent, for the time that you choose.`,
  muteDone: 'Alarm muted',
  hours: 'Hours',
  times: {
    '1': { label: '1 hour', detail: 'While you work on it.' },
    '4': { label: '4 hours', detail: 'A change that takes half a day.' },
    '24': { label: '1 day', detail: 'Until the next shift.' },
    '168': { label: '1 week', detail: 'Until a part arrives.' },
  },
} as const

/** An alarm about findings is named for their kind, which the console shows by the name of its list. */
export const nameText = ({ kind, name }: Pick<AlarmView, 'kind' | 'name'>): string =>
  kind === 'finding-critical' ? ((kindWords as Readonly<Record<string, string>>)[name] ?? name) : name

export const muteWords = {
  title: 'Muted',
  whole: 'everything',
  columns: { title: 'Alarm', name: 'About', until: 'Until', by: 'By', reason: 'Reason', actions: 'Actions' },
  unmute: 'Unmute',
  unmutes: (title: string) => `${title} is sent again at its next change.`,
  unmuted: 'Alarm unmuted',
} as const

export const deliveryWords = {
  title: 'Deliveries',
  what: 'deliveries',
  none: 'Nothing sent yet',
  noChannel:
    'No webhook or mail is configured: alarms are shown on this page only. docs/alarms.md says how to configure them.',
  sentBy: (channels: string) => `Alarms are sent by ${channels}.`,
  columns: {
    event: 'Event',
    name: 'About',
    channel: 'By',
    made: 'Made',
    state: 'State',
    attempts: 'Tries',
    error: 'Error',
  },
  testOf: (channel: string) => `Test ${channel}`,
  testsIt: (channel: string) => `One message is sent by ${channel}, the same way as an alarm.`,
  tested: 'Test message queued',
  events: { raised: 'raised', ended: 'ended', test: 'test' },
  channels: { webhook: 'webhook', mail: 'mail' },
} as const

export const severityBadges: Readonly<Record<AlarmView['severity'], BadgeContent>> = {
  critical: { shape: 'cross', tone: 'bad', label: 'critical' },
  warning: { shape: 'triangle', tone: 'warn', label: 'warning' },
}

const deliveryBadges = {
  sent: { shape: 'tick', tone: 'ok', label: 'sent' },
  failed: { shape: 'cross', tone: 'bad', label: 'given up' },
  waiting: { shape: 'half', tone: 'warn', label: 'waiting' },
} as const satisfies Readonly<Record<string, BadgeContent>>

export const deliveryBadge = ({ sentAt, givenUpAt }: AlarmDeliveryView): BadgeContent =>
  sentAt !== null ? deliveryBadges.sent : givenUpAt !== null ? deliveryBadges.failed : deliveryBadges.waiting
