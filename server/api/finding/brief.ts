import { kindRow } from '../../engine/audit/kinds'
import type { FindingBrief } from '../../engine/heal/predicted-findings'
import type { Names } from '../names/names'
import type { Severity } from './view'

/** A finding that a repair leaves or causes. */
export interface FindingBriefView {
  /** `amf-02 has lost pci:0000:10:00.1 of h-07`. */
  readonly says: string
  readonly severity: Severity
  readonly isNew: boolean
}

/** A finding that a repair leaves or causes, in one sentence with its name. */
export function briefView({ kind, host, instance, unit, isNew }: FindingBrief, names: Names): FindingBriefView {
  const who = instance === null ? null : names.instance(instance).name
  const where = host === null ? null : names.host(host).name
  const { title, severity } = kindRow(kind)
  if (kind === 'device-lost' && who !== null) {
    return { severity, isNew, says: `${who} has lost ${unit ?? 'a device'}${where === null ? '' : ` of ${where}`}` }
  }
  const subject = [who, where === null ? null : `on ${where}`].filter((part) => part !== null).join(' ')
  return { severity, isNew, says: subject === '' ? title : `${title}: ${subject}` }
}

export const idsOfBriefs = (briefs: readonly FindingBrief[]): string[] =>
  briefs.flatMap(({ instance }) => (instance === null ? [] : [instance]))
