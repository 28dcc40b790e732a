import { type RefusalCause, type RefusedPart, summaryOf } from '../../engine/explain/refusal-summary'
import type { RefusalKind } from '../../engine/words/refusal'
import { idsInText } from '../names/names'
import { namesOf } from '../names/read'
import { countedBy, type RefusalUnit } from '../refusal/view'
import type { ApiServices } from '../services'
import type { HostEvaluation } from './verdicts'

/** `RefusalCause` in numbers, for every user who may see how many hosts refuse. */
export interface RefusalCauseView {
  readonly rule: RefusalKind
  readonly hosts: number
  readonly resourceClass: string | null
  readonly pageKib: number | null
  /** The same on all of these hosts, or null. */
  readonly need: number | string | null
  /** The largest free amount on any of these hosts; null when unknown. */
  readonly free: number | null
  readonly unit: RefusalUnit | null
}

export interface PartView {
  readonly hosts: number
  /** Each host under one of them, the cause of most hosts first. */
  readonly causes: readonly RefusalCauseView[]
}

export interface SummaryView {
  /** Hosts on which it would fit after some change. */
  readonly fixable: PartView
  /** Hosts that refuse even repaired and empty. */
  readonly unfixable: PartView
}

export async function summaryView(services: ApiServices, all: readonly HostEvaluation[]): Promise<SummaryView> {
  const { fixable, unfixable } = summaryOf(
    all.flatMap(({ host, reasons, remedy }) => (remedy === null ? [] : [{ host: host.id, refusals: reasons, remedy }])),
  )
  const needs = [...fixable.causes, ...unfixable.causes].map(({ need }) => String(need))
  const names = await namesOf(services, needs.flatMap(idsInText))
  const part = ({ hosts, causes }: RefusedPart): PartView => ({
    hosts,
    causes: causes.map((cause) => refusalCauseView(cause, names.text)),
  })
  return { fixable: part(fixable), unfixable: part(unfixable) }
}

function refusalCauseView(
  { rule, hosts, where, need, free }: RefusalCause,
  named: (text: string) => string,
): RefusalCauseView {
  return {
    ...{ rule, hosts: hosts.length, free },
    resourceClass: where.resourceClass ?? null,
    pageKib: where.pageKib ?? null,
    need: typeof need === 'string' ? named(need) : need,
    unit: free === null ? null : countedBy({ kind: rule, where }),
  }
}
