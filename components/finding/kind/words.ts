import { FINDING_TITLES } from '@/lists/finding-titles'
import type { Severity } from '@/server/api/finding/view'
import type { BadgeContent } from '../../ui/Badge'

// Texts of findings for lists of other nouns, without those of the findings pages.

/** The kind of a finding, short enough for a table row. */
export const kindWords = FINDING_TITLES

export const severityBadges: Readonly<Record<Severity, BadgeContent>> = {
  critical: { shape: 'cross', tone: 'bad', label: 'critical' },
  warning: { shape: 'diamond', tone: 'warn', label: 'warning' },
  info: { shape: 'unknown', tone: 'idle', label: 'info' },
}
