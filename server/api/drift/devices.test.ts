import { beforeAll, describe, expect, test } from 'vitest'
import { onFreshDatabase } from '../../boot/on-fresh-database'
import { smallHost } from '../../engine/testing/hosts'
import type { HostId, InstanceId } from '../../engine/words/ids'
import type { UnitName } from '../../engine/words/units'
import { noteSurvey } from '../../store/survey/survey'
import { build, putHost } from '../../store/testing/records'
import { openTestApi } from '../testing/api'

// Recorded and observed devices of a host, side by side; what was not reported is unknown, never blank.

const api = onFreshDatabase(openTestApi)
let web: InstanceId
beforeAll(async () => {
  web = await build(api.database, (await putHost(api.database, smallHost({ n: 1 }))).id, { name: 'web-1' })
})

describe('devices', () => {
  let withVf: HostId
  const drift = () => api.as('viewer').finding.deviceDrift({ host: withVf })

  test('are unknown until a host reports them, with what is missing for that', async () => {
    withVf = (await putHost(api.database, smallHost({ n: 77, vfs: 1 }))).id
    await api.settle()
    const rows = await drift()
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows)
      expect(row).toMatchObject({ hypervisor: null, needs: 'a first survey', agreement: 'unknown' })
    await noteSurvey(api.database, [{ host: withVf, at: Date.now(), guests: [] }])
    expect((await drift())[0]).toMatchObject({ hypervisor: null, needs: 'a driver that reports devices' })
  })

  test('appear beside what their host reports, and a silent host keeps its last report', async () => {
    const unit = (await drift())[0]!.unit as UnitName
    const devices = [{ unit, driver: 'vfio-pci', attachedTo: web }]
    await noteSurvey(api.database, [{ host: withVf, at: Date.now(), guests: [], devices }])
    expect((await drift()).find((row) => row.unit === unit)).toMatchObject({
      records: 'there, held by no instance',
      hypervisor: expect.stringMatching(/^reported, attached to \S+, bound to vfio-pci$/),
      needs: null,
      agreement: 'differ',
    })
    expect((await api.as('viewer').device.byUnit({ host: withVf, unit })).drift).toMatchObject({ needs: null })
    await noteSurvey(api.database, [{ host: withVf, at: Date.now() + 1, guests: null }])
    expect((await drift()).find((row) => row.unit === unit)).toMatchObject({
      hypervisor: expect.stringMatching(/when it last answered$/),
      needs: 'an answer of the host',
      agreement: 'unknown',
    })
  })
})
