import type { Change, Write } from '../server/engine/change'
import type { Database } from '../server/store/database/database'

// The baseline: a client that decides and checks nothing, knows every row in advance, including the ids of the units,
// and writes them with one prepared statement.

const STATEMENT = `with
  locked as (update resource_provider set generation = generation + 1 where id = $1 returning generation),
  i as (insert into instance (id, name, project, flavor, image, host_id, vm_state, generation, created_at, updated_at)
    select $2, $3, $4, $5, $6, $1, 'building', 0, $7, $7 from locked),
  c as (insert into consumer (id, type, project) select $2, 'INSTANCE', $4 from locked),
  k as (insert into claim (id, consumer_id, consumer_kind, instance_id, host_id, taken_at)
    select $8, $2, 'instance', $2, $1, $7 from locked),
  a as (insert into allocation (consumer_id, provider_id, resource_class, amount)
    select $2, r.* from locked, unnest($9::uuid[], $10::text[], $11::bigint[]) r),
  p as (insert into claim_cell (claim_id, guest_cell, host_cell, memory_mib, page_kib, shared_vcpus, pins,
      reserved_cpus, cpu_policy, thread_policy)
    select $8, $12, $13, $14, $15, $16, $17, $18, $19, $20 from locked),
  u as (insert into unit_holding (unit_id, claim_id, use)
    select r.unit, $8, r.use from locked, unnest($21::bigint[], $22::text[]) r(unit, use)),
  o as (insert into outbox (kind, hosts, instance_id, data, raised, who, request, at)
    select $23, array[$1::uuid], $2, $24, jsonb_build_object($1, generation), $25, $26, $7 from locked)
  insert into audit_entry (at, who, request, action, hosts, instance_id, data)
  select $7, $25, $26, $23, array[$1::uuid], $2, $24 from locked`

type Take = Extract<Write, { do: 'take' }>
type Insert = Extract<Write, { do: 'insert-instance' }>

/** The parameters of one claim, prepared before the clock starts. */
export function bareRow(change: Change, unitIds: ReadonlyMap<string, string>): unknown[] {
  const { instance } = change.writes.find((write): write is Insert => write.do === 'insert-instance') as Insert
  const { claim, plan } = change.writes.find((write): write is Take => write.do === 'take') as Take
  const cell = plan.cells[0]
  const { id, name, project, flavor, image } = instance
  return [
    ...[plan.host, id, name, project, JSON.stringify(flavor), JSON.stringify(image), new Date(change.at), claim],
    ...[plan.amounts.map(({ provider }) => provider), plan.amounts.map((each) => each.resourceClass)],
    plan.amounts.map(({ amount }) => amount),
    ...[cell?.guestCell, cell?.hostCell, cell?.memoryMib, cell?.pageKib, cell?.sharedVcpus, JSON.stringify(cell?.pins)],
    ...[cell?.reservedCpus, cell?.cpuPolicy, cell?.threadPolicy],
    ...[plan.units.map(({ unit }) => unitIds.get(`${plan.host} ${unit}`)), plan.units.map(({ use }) => use)],
    ...[change.event.kind, JSON.stringify(change.event.data), change.actor.who, change.actor.request],
  ]
}

export async function commitBare({ pool }: Database, row: unknown[]): Promise<void> {
  await pool.query({ name: 'bare', text: STATEMENT, values: row })
}

export async function readUnitIds({ pool }: Database): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ key: string; id: string }>(`select host_id || ' ' || name as key, id from unit`)
  return new Map(rows.map(({ key, id }) => [key, id]))
}
