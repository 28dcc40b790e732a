import { z } from 'zod'
import { FINDING_LIST } from '@/lists/finding'
import { fieldsOf, sortsOf } from '@/lists/list'
import type { FindingBody } from '../../audit/auditing'
import { FINDING_KINDS, type FindingKind, SEVERITIES } from '../../engine/audit'
import { listFindings, readFindings } from '../../store/finding/list'
import { readPlansOf } from '../../store/heal/plan'
import { putHealRule, readHealRules } from '../../store/heal/rule'
import { type DeviceDriftRow, deviceDrift } from '../drift/devices'
import { type DriftRow, driftRows } from '../drift/instances'
import type { HealState } from '../heal/view'
import { namesOf } from '../names/read'
import type { Ms, Page } from '../plain'
import {
  conditions,
  hostId,
  instanceId,
  line,
  migrationId,
  object,
  oneOf,
  paged,
  query,
  reason,
  recordId,
  someOf,
  wholeNumber,
} from '../procedure/inputs'
import { attributionOf, automator, proposer, router, viewer } from '../procedure/procedure'
import { refuse, refuseUnknown } from '../refusal/refused'
import type { ApiServices } from '../services'
import { type AuditStatus, auditStatus } from './status'
import { type EvidenceView, evidenceView, type FindingRow, findingRow, idsIn } from './view'

// Findings of the audit.

export interface FindingDetail extends FindingRow {
  /** Records, allocations and hypervisor side by side. */
  readonly evidence: readonly EvidenceView[]
  readonly runbook: FindingKind
  /** Plans that touched it, newest first. */
  readonly plans: readonly { readonly id: string; readonly state: HealState; readonly at: Ms }[]
}

/** Rules of automatic repairs: off by default, with a limit per day. */
export interface AutoHealRule {
  readonly kind: FindingKind
  readonly on: boolean
  readonly dailyCap: number
  readonly usedToday: number
  readonly by: string | null
  readonly at: Ms | null
}

const KINDS = FINDING_KINDS as readonly [FindingKind, ...FindingKind[]]
const CAP_MAX = 10_000

const driftInput = object({ host: hostId.optional(), instance: instanceId.optional() })
const listInput = object({
  q: query.optional(),
  kind: someOf(KINDS),
  severity: someOf(SEVERITIES),
  host: hostId.optional(),
  instance: instanceId.optional(),
  migration: migrationId.optional(),
  unit: line('a CPU or device').optional(),
  closed: z.boolean({ error: 'expected true or false' }).optional(),
  where: conditions(fieldsOf(FINDING_LIST)),
  ...paged(sortsOf(FINDING_LIST)),
})
const ruleInput = object({
  kind: oneOf(KINDS),
  on: z.boolean({ error: 'expected true or false' }),
  dailyCap: wholeNumber('repairs a day', 0, CAP_MAX),
  reason,
})

export const findingRouter = router({
  list: viewer.input(listInput.prefault({})).query(async ({ ctx, input }): Promise<Page<FindingRow>> => {
    const { services, caller } = ctx
    const seq = String(services.feed.head)
    const { rows, total } = await listFindings<FindingBody>(services.database, input)
    const names = await namesOf(services, idsIn(rows))
    return {
      rows: rows.map((row) => findingRow(row, { names, rights: caller, host: (id) => services.fleet.host(id) })),
      total,
      seq,
    }
  }),

  byId: viewer.input(object({ id: recordId('a finding') })).query(async ({ ctx, input }): Promise<FindingDetail> => {
    const { services, caller } = ctx
    const [found] = await readFindings<FindingBody>(services.database, [input.id])
    if (!found) return refuseUnknown('finding', input.id)
    const [names, plans] = await Promise.all([
      namesOf(services, idsIn([found])),
      readPlansOf(services.database, [found.id]),
    ])
    return {
      ...findingRow(found, { names, rights: caller, host: (id) => services.fleet.host(id) }),
      evidence: found.body.evidence.map((each) => evidenceView(each, names)),
      runbook: found.kind,
      plans: plans.map(({ id, state, madeAt }) => ({ id, state, at: madeAt })),
    }
  }),

  status: viewer.query(({ ctx }): Promise<AuditStatus> => auditStatus(ctx.services)),

  /** Surveys the hypervisors and rereads every row, of one host or of all. */
  audit: proposer
    .on(object({ host: hostId.optional() }).prefault({}), ({ host }) => [
      host === undefined ? { of: 'fleet', what: 'an audit of all hosts' } : { of: 'host', id: host },
    ])
    .mutation(async ({ ctx, input }): Promise<AuditStatus> => {
      const { services } = ctx
      const { auditing, survey } = services.audit
      if (input.host === undefined) {
        await survey()
        await auditing.audit({ cold: true })
      } else {
        const host = services.fleet.host(input.host) ?? refuseUnknown('host', input.host)
        await survey([host.id])
        await auditing.audit({ hosts: [host.id] })
      }
      return auditStatus(services)
    }),

  drift: viewer.input(driftInput).query(({ ctx, input }): Promise<readonly DriftRow[]> => {
    const { host, instance } = requireSubject(input, 'Compare records and hypervisor')
    return driftRows(ctx.services, { host, instance })
  }),

  deviceDrift: viewer.input(driftInput).query(({ ctx, input }): Promise<readonly DeviceDriftRow[]> => {
    const { host, instance } = requireSubject(input, 'Compare devices of records and hypervisor')
    return deviceDrift(ctx.services, { host, instance })
  }),

  rules: viewer.query(({ ctx }): Promise<readonly AutoHealRule[]> => healRules(ctx.services)),

  setRule: automator.everywhere.input(ruleInput).mutation(async ({ ctx, input }): Promise<readonly AutoHealRule[]> => {
    const { services } = ctx
    const { reason, ...rule } = input
    await putHealRule(services.database, { ...rule, ...attributionOf(ctx, reason) })
    return healRules(services)
  }),
})

function requireSubject<I extends { host?: unknown; instance?: unknown }>(input: I, what: string): I {
  if (input.host !== undefined || input.instance !== undefined) return input
  return refuse('bad-input', { need: 'expected a host or an instance', have: 'input', what })
}

/** A row for every kind; the default is off. */
async function healRules({ database, now }: ApiServices): Promise<readonly AutoHealRule[]> {
  const set = new Map((await readHealRules(database, now())).map((rule) => [rule.kind, rule]))
  return FINDING_KINDS.map((kind) => {
    const rule = set.get(kind)
    return {
      ...{ kind, on: rule?.on ?? false, dailyCap: rule?.dailyCap ?? 0, usedToday: rule?.usedToday ?? 0 },
      ...{ by: rule?.by ?? null, at: rule?.at ?? null },
    }
  })
}
