import type pg from 'pg'
import { type HostPowerAnswer, type InstancePower, observedPower } from '../../engine/power/instance-power'
import { powerOfState } from '../../engine/power/state'
import type { HostId } from '../../engine/words/ids'
import { timeText } from '../commit/change-row'
import type { DomainObservation } from '../survey/survey'

// Power states of instances as surveys report them, written in the transaction of the answer, and only when changed.

export interface HostPowerObservation {
  readonly host: HostId
  readonly at: number
  readonly previousAt: number | null
  readonly guests: readonly DomainObservation[]
}

/** The caller has locked the survey of each of these hosts. */
export async function putInstancePower(client: pg.PoolClient, seen: readonly HostPowerObservation[]): Promise<void> {
  const known = await client.query<{ power: InstancePower }>({
    name: 'guest-power-of',
    text: `select json_build_object('host', g.host_id, 'instance', g.instance_id, 'state', g.state, 'reason', g.reason,
        'since', ms(g.since), 'ranBefore', g.ran_before) as power
      from guest_power g where g.host_id = any($1::uuid[])`,
    values: [seen.map(({ host }) => host)],
  })
  const before = known.rows.map(({ power }) => power)
  const now = seen.flatMap((answer) => {
    const own = before.filter(({ host }) => host === answer.host)
    return observedPower(own, powerAnswer(answer))
  })
  // Unchanged values keep their identity.
  const same = new Set(before)
  const shown = new Set(now.map(keyOf))
  const gone = before.filter((each) => !shown.has(keyOf(each)))
  const changed = now.filter((each) => !same.has(each))
  if (gone.length > 0) {
    await client.query({
      name: 'forget-guest-power',
      text: `delete from guest_power g using jsonb_to_recordset($1::jsonb) as r(host uuid, instance uuid)
        where g.host_id = r.host and g.instance_id = r.instance`,
      values: [JSON.stringify(gone)],
    })
  }
  if (changed.length > 0) {
    await client.query({
      name: 'put-guest-power',
      text: `insert into guest_power (host_id, instance_id, state, reason, since, ran_before)
        select r.host, r.instance, r.state, r.reason, r.since, r."ranBefore"
        from jsonb_to_recordset($1::jsonb)
          as r(host uuid, instance uuid, state text, reason text, since timestamptz, "ranBefore" boolean)
        on conflict (host_id, instance_id) do update set state = excluded.state, reason = excluded.reason,
          since = excluded.since, ran_before = excluded.ran_before, resume_asked_at = null`,
      values: [JSON.stringify(changed.map((each) => ({ ...each, since: timeText(each.since) })))],
    })
  }
  const was = new Map(before.map((each) => [keyOf(each), each.state]))
  const news = changed.filter((each) => was.has(keyOf(each)) || each.state !== 'running')
  if (news.length > 0) await tell(client, news, was)
}

const MAX_LISTED_INSTANCES = 50 // named in one event; beyond this, only the number

/** One event for each host on which power changed: screens refetch, and the trail keeps what was observed when. */
async function tell(
  client: pg.PoolClient,
  news: readonly InstancePower[],
  was: ReadonlyMap<string, InstancePower['state']>,
): Promise<void> {
  const hosts = [...new Set(news.map(({ host }) => host))]
  const events = hosts.map((host) => {
    const own = news.filter((each) => each.host === host)
    const instances = own.slice(0, MAX_LISTED_INSTANCES).map((each) => {
      const { instance, state, reason } = each
      return { instance, state, reason, was: was.get(keyOf(each)) ?? null }
    })
    return { hosts: `{${host}}`, at: timeText(own[0]?.since ?? 0), data: { changed: own.length, guests: instances } }
  })
  await client.query({
    name: 'tell-guest-power',
    text: `insert into outbox (kind, hosts, data, raised, who, at)
      select 'power.observed', r.hosts, r.data, '{}', 'survey', r.at
      from jsonb_to_recordset($1::jsonb) as r(hosts uuid[], data jsonb, at timestamptz)`,
    values: [JSON.stringify(events)],
  })
}

const keyOf = ({ host, instance }: InstancePower) => `${host} ${instance}`

/** Paused target domains, and what a live migration left behind, are not the instance. */
const powerAnswer = ({ guests: domains, ...answer }: HostPowerObservation): HostPowerAnswer => ({
  ...answer,
  guests: domains
    .filter(({ observedState }) => observedState === 'running' || observedState === 'stopped')
    .map(({ instance, observedState, power }) => ({ instance, ...(power ?? powerOfState(observedState)) })),
})
