import { createHash } from 'node:crypto'
import type { ClaimBody } from '../../engine/host'
import type { Power } from '../../engine/power/state'
import type { HostId, InstanceId, MigrationId } from '../../engine/words/ids'
import type { UnitName } from '../../engine/words/units'
import type { MayBeUnreadable } from '../../engine/words/unreadable'
import { timeText } from '../commit/change-row'
import { isCheckViolation, isDataException } from '../database/check-violation'
import type { Database } from '../database/database'
import { storableText } from '../database/storable-text'
import { inTransaction } from '../database/transaction'
import { surveyOf } from '../decode/survey'
import { putInstancePower } from '../power/instance-power'

// Hypervisors' answers: for each host the last two that differ. An idle fleet costs one short statement per survey,
// because an answer that shows the same domains only updates its time.

export interface DomainObservation {
  readonly instance: InstanceId
  /** The migration that created this domain, until the clean-up of its other side. */
  readonly migration: MigrationId | null
  /** left: shut off after a live hand-over. */
  readonly observedState: 'running' | 'stopped' | 'left' | 'shell'
  /** Missing in rows stored before power was observed. */
  readonly power?: Power
  /** CPUs, pages and devices as the hypervisor reports them; null when not reported. */
  readonly claim: ClaimBody | null
  /** It runs under the id of the instance, without Berth's tag in its definition. */
  readonly untagged?: true
}

/** A device as its host reports it. */
export interface DeviceObservation {
  readonly unit: UnitName
  /** Kernel driver it is bound to; null: none, or not reported. */
  readonly driver: string | null
  readonly attachedTo: InstanceId | null
}

/** `guests` null: no answer, which is not the same as no domains. */
export interface HostAnswer {
  readonly host: HostId
  /** When it was queried: later events may not be in it. */
  readonly at: number
  readonly guests: readonly DomainObservation[] | null
  /** Why there is no answer, in the words of its connection. Null or omitted: not known. */
  readonly silence?: string | null
  /** Null or omitted: not reported, which does not mean that there are no devices. */
  readonly devices?: readonly DeviceObservation[] | null
}

export interface SurveyRow extends MayBeUnreadable {
  readonly host: HostId
  readonly askedAt: number
  readonly answered: boolean
  readonly answeredAt: number | null
  /** Of the last answer, however long ago; null while it never answered. */
  readonly guests: readonly DomainObservation[] | null
  /** Of the last answer; null while the host has never reported them. */
  readonly devices: readonly DeviceObservation[] | null
  /** The answer before the last one. */
  readonly previousAt: number | null
  /** First answer that showed exactly these domains and devices: earlier than `answeredAt` when two surveys agree. */
  readonly since: number | null
  /** Of `guests` and `devices`, independent of their order. */
  readonly digest: string | null
  readonly earlier:
    | (Pick<SurveyRow, 'devices'> & { readonly at: number; readonly guests: readonly DomainObservation[] })
    | null
}

// An answer dated ahead of the database's clock came from a wrong clock or a manual edit, and must not block later
// answers.
const notLater = (noted: string, answered: string) =>
  `(${noted} <= ${answered} or ${noted} > greatest(clock_timestamp(), ${answered}) + interval '1 minute')`

/**
 * Stores the answers of a survey, and on the hosts themselves when each last answered. An older answer changes nothing.
 * A row that violates a constraint of its table only blocks its own answer: that host's stored rows are deleted and
 * written again. An answer with values that no column takes counts as none.
 */
export async function noteSurvey(database: Database, answers: readonly HostAnswer[]): Promise<void> {
  try {
    await noteTogether(database, answers)
  } catch (error) {
    const isUnstorable = isDataException(error)
    if (!isCheckViolation(error) && !isUnstorable) throw error
    if (answers.length > 1) {
      for (const answer of answers) await noteSurvey(database, [answer])
      return
    }
    const [answer] = answers
    if (isUnstorable && answer && answer.guests !== null) {
      const silence = `it answered, and the answer cannot be stored: ${(error as Error).message}`
      return noteSurvey(database, [{ host: answer.host, at: answer.at, guests: null, silence }])
    }
    if (isUnstorable) throw error
    await database.pool.query('delete from host_survey where host_id = $1', [answers[0]?.host])
    // The host's own row is then invalid, and the audit reports it.
    await noteTogether(database, answers).catch((again: unknown) => {
      if (!isCheckViolation(again)) throw again
    })
  }
}

async function noteTogether(database: Database, answers: readonly HostAnswer[]): Promise<void> {
  if (answers.length === 0) return
  const answered = answers.map(({ host, at, guests: domains, devices, silence }): HostAnswerRow => {
    return {
      host,
      at: timeText(at),
      guests: domains,
      devices: devices ?? null,
      digest: domains && digestOf(domains, devices ?? null),
      silence: domains === null && silence ? storableText(silence, SILENCE_LENGTH) : null,
    }
  })
  const { rows } = await database.pool.query<{ host: HostId }>({
    name: 'note-survey',
    // Surveys may end at the same time: each locks its rows in the order of their hosts.
    text: `with heard as (select * from jsonb_to_recordset($1::jsonb)
        as r(host uuid, at timestamptz, digest text, silence text)),
      known as materialized (select h.id from host h where h.id in (select host from heard)
        order by h.id for no key update),
      seen as (update host h set last_seen_at = r.at from known k join heard r on r.host = k.id
        where h.id = k.id and r.digest is not null and (h.last_seen_at is null or ${notLater('h.last_seen_at', 'r.at')})),
      noted as (insert into host_survey (host_id, asked_at, answered, silence)
        select k.id, r.at, r.digest is not null, r.silence from heard r join known k on k.id = r.host order by k.id
        on conflict (host_id) do update set asked_at = excluded.asked_at, answered = excluded.answered,
          silence = excluded.silence,
          previous_at = case when excluded.answered then host_survey.answered_at else host_survey.previous_at end,
          answered_at = case when host_survey.digest = (select digest from heard where host = host_survey.host_id)
            then excluded.asked_at else host_survey.answered_at end
        where ${notLater('host_survey.asked_at', 'excluded.asked_at')}
        returning host_id, digest)
      select n.host_id as host from noted n join heard r on r.host = n.host_id
      where r.digest is not null and n.digest is distinct from r.digest`,
    values: [JSON.stringify(answered.map(({ host, at, digest, silence }) => ({ host, at, digest, silence })))],
  })
  const changed = new Set(rows.map(({ host }) => host))
  if (changed.size > 0)
    await putDomains(
      database,
      answered.filter(({ host }) => changed.has(host)),
    )
}

const SILENCE_LENGTH = 500

interface HostAnswerRow extends Omit<HostAnswer, 'at'> {
  readonly at: string
  readonly digest: string | null
}

// Only an answer that differs from the previous one is written whole.
async function putDomains(database: Database, changed: readonly HostAnswerRow[]): Promise<void> {
  await inTransaction(database, async (client) => {
    const { rows } = await client.query<{ host: HostId; previousAt: number | null }>({
      name: 'put-guests',
      text: `with heard as materialized (select * from jsonb_to_recordset($1::jsonb)
          as r(host uuid, at timestamptz, digest text, guests jsonb, devices jsonb)),
        locked as materialized (select host_id from host_survey where host_id in (select host from heard)
          order by host_id for update)
        update host_survey s set guests = r.guests, devices = r.devices, digest = r.digest, answered_at = r.at,
          since = r.at, earlier_at = s.answered_at, earlier_guests = s.guests, earlier_devices = s.devices
        from locked l join heard r on r.host = l.host_id
        where s.host_id = l.host_id and s.asked_at <= r.at and s.digest is distinct from r.digest
        returning s.host_id as host, ms(s.earlier_at)::float8 as "previousAt"`,
      values: [JSON.stringify(changed)],
    })
    const written = new Map(rows.map(({ host, previousAt }) => [host, previousAt]))
    const seen = changed.flatMap(({ host, at, guests: domains }) => {
      const previousAt = written.get(host)
      return domains === null || previousAt === undefined
        ? []
        : [{ host, at: Date.parse(at), previousAt, guests: domains }]
    })
    if (seen.length > 0) await putInstancePower(client, seen)
  })
}

/** A host answers in no fixed order, so the same domains and devices must give the same digest in any. */
function digestOf(domains: readonly DomainObservation[], devices: readonly DeviceObservation[] | null): string {
  const shown = domains.map(({ instance, migration, observedState, power, claim, untagged }) => {
    const own = [instance, migration, observedState, power?.state, power?.reason, claim]
    return JSON.stringify(untagged ? [...own, 'untagged'] : own)
  })
  const reported = devices?.map(({ unit, driver, attachedTo }) => JSON.stringify([unit, driver, attachedTo]))
  const lines = [
    ...shown.sort(),
    reported === undefined ? 'devices are not reported' : 'devices',
    ...(reported?.sort() ?? []),
  ]
  return createHash('sha256').update(lines.join('\n')).digest('base64url')
}

/** One survey `s` as JSON, with its domains only where `wanted` holds. */
export const surveyJson = (wanted: string) => `json_build_object('host', s.host_id, 'askedAt', ms(s.asked_at),
  'answered', s.answered, 'answeredAt', ms(s.answered_at), 'previousAt', ms(s.previous_at), 'since', ms(s.since), 'digest', s.digest,
  'guests', case when ${wanted} then s.guests end, 'devices', case when ${wanted} then s.devices end,
  'earlier', case when ${wanted} and s.earlier_at is not null
    then json_build_object('at', ms(s.earlier_at), 'guests', s.earlier_guests, 'devices', s.earlier_devices) end)`

/** Of the given hosts, or of all. */
export async function readSurveys({ pool }: Database, hosts?: readonly HostId[]): Promise<SurveyRow[]> {
  const { rows } = await pool.query<{ survey: SurveyRow }>({
    name: hosts ? 'surveys-of' : 'surveys',
    text: `select ${surveyJson('true')} as survey from host_survey s ${hosts ? 'where s.host_id = any($1::uuid[])' : ''}`,
    values: hosts ? [hosts] : [],
  })
  return rows.map(({ survey }) => surveyOf(survey))
}

export interface SurveyTime {
  readonly host: HostId
  readonly askedAt: number
  readonly answered: boolean
}

/** When each host was last queried and whether it answered, without the answer. */
export async function readSurveyTimes({ pool }: Database): Promise<SurveyTime[]> {
  const { rows } = await pool.query<SurveyTime>({
    name: 'survey-times',
    text: 'select host_id as host, coalesce(ms(asked_at), 0)::float8 as "askedAt", answered from host_survey',
  })
  return rows
}
