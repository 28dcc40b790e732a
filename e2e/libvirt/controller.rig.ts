import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { startController } from '../../server/fencing/testing/controller'

// The controller for fencing tests speaks Redfish: an independent client can read and reset it.

const run = promisify(execFile)
const isThere = spawnSync('redfishtool', ['-V'], { stdio: 'ignore' }).status === 0
if (!isThere) console.log('skipped: the client of Redfish, because redfishtool is not installed')

const ACCOUNT = { username: 'root', password: 'of-the-controller' }

describe.skipIf(!isThere)('redfishtool', () => {
  it('reads the power state of a machine, powers it off and on, and rejects a wrong password', async () => {
    let isOn = true
    const turn = async (on: boolean) => {
      isOn = on
    }
    const machine = { isOn: () => isOn, powerOff: () => turn(false), powerOn: () => turn(true) }
    const controller = await startController({ machines: { hv1: machine }, ...ACCOUNT })
    const tool = async (words: readonly string[], password: string = ACCOUNT.password) => {
      const way = [
        '-r',
        new URL(controller.address).host,
        '-u',
        ACCOUNT.username,
        '-p',
        password,
        '-A',
        'Basic',
        '-S',
        'Never',
      ]
      return (await run('redfishtool', [...way, 'Systems', '-1', ...words])).stdout
    }
    const power = async () => JSON.parse(await tool([])).PowerState
    try {
      expect(await power()).toBe('On')
      await tool(['reset', 'ForceOff'])
      expect([isOn, await power()]).toEqual([false, 'Off'])
      await tool(['reset', 'On'])
      expect([isOn, await power()]).toEqual([true, 'On'])
      await expect(tool(['reset', 'ForceOff'], 'wrong')).rejects.toThrow()
      expect(isOn).toBe(true)
    } finally {
      await controller.close()
    }
  })
})
