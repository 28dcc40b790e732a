import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import pg from 'pg'
import { postgresAt } from './address'

// Writes rows directly to the database, without API or event.

/** Runs one statement on the database of the server at this port. */
export async function runSql<Row extends pg.QueryResultRow>(
  port: number,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: fs.readFileSync(`${postgresAt(port)}.url`, 'utf8') })
  await client.connect()
  try {
    return (await client.query<Row>(statement, [...values])).rows
  } finally {
    await client.end()
  }
}

export interface OrphanedClaim {
  readonly host: string
  /** Name of the unit, as on the host map. */
  readonly unit: string
  readonly id: string
}

/** Creates an orphaned claim on a free VF of a host whose name matches. */
export async function orphanFunction(port: number, hosts: string): Promise<OrphanedClaim> {
  const nobody = randomUUID()
  const [free] = await runSql<OrphanedClaim & { instance: string }>(
    port,
    `select h.id as host, u.name as unit, u.id, i.id as instance
      from unit u join host h on h.id = u.host_id join instance i on i.host_id = h.id
      where u.pci ->> 'devType' = 'type-VF' and h.name like $1
        and not exists (select 1 from unit_holding x where x.unit_id = u.id or x.unit_id = u.parent_id)
      order by h.name desc, u.id, i.name limit 1`,
    [hosts],
  )
  if (!free) throw new Error(`no VF is free on ${hosts}`)
  await runSql(port, `insert into consumer (id, type, owner_kind) values ($1, 'MIGRATION', 'berth')`, [nobody])
  await runSql(
    port,
    `insert into claim (id, consumer_id, consumer_kind, instance_id, host_id, taken_at)
      values ($1, $1, 'migration', $2, $3, now())`,
    [nobody, free.instance, free.host],
  )
  await runSql(port, `insert into unit_holding (unit_id, claim_id, use) values ($1, $2, 'device')`, [free.id, nobody])
  return free
}

interface AmountOf {
  readonly instance: string
  readonly resourceClass: string
}

/** Changes an allocation by this amount, so that it differs from its claim. */
export const changeAmount = (port: number, { instance, resourceClass, by }: AmountOf & { readonly by: number }) =>
  runSql(
    port,
    `update allocation a set amount = amount + $3 from instance i where i.name = $1 and a.consumer_id = i.id
      and a.resource_class = $2`,
    [instance, resourceClass, by],
  )

/** Deletes the allocation of a claim. */
export const dropAmount = (port: number, { instance, resourceClass }: AmountOf) =>
  runSql(
    port,
    `delete from allocation a using instance i where i.name = $1 and a.consumer_id = i.id and a.resource_class = $2`,
    [instance, resourceClass],
  )
