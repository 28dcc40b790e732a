import { expect, test } from 'vitest'
import { hostId, smallHost } from '../engine/testing/hosts'
import { IMAGE, pinned } from '../engine/testing/instances'
import { onEachScenario } from './on-each-scenario'

// Work that waits for hosts that are down, more of it than one poll reads, does not keep other work waiting.

const [DOWN, UP] = [hostId(1), hostId(2)]
const MANY = 600
const asked = { flavor: pinned(1, {}, { name: 'small' }), image: IMAGE, host: UP }

const scenario = onEachScenario(
  { hosts: [smallHost({ n: 1, cores: 8 }), smallHost({ n: 2, cores: 8 })] },
  { mayEndWrong: true },
)

test('instances that are to be deleted on a host that is down hold up no build elsewhere', async () => {
  const { pool } = scenario.database
  const first = await scenario.running(asked)
  await pool.query("update host set status = 'down' where id = $1", [DOWN])
  await pool.query(
    `insert into instance (id, name, project, flavor, image, host_id, vm_state, created_at, updated_at)
      select gen_random_uuid(), 'gone-' || n, project, flavor, image, $2, 'deleting', '2020-01-01', '2020-01-01'
      from instance, generate_series(1, $3) n where id = $1`,
    [first, DOWN, MANY],
  )
  const built = await scenario.running(asked)
  expect((await scenario.instance(built)).vmState).toBe('active')
})
