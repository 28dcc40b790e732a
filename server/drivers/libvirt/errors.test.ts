import { expect, test } from 'vitest'
import { HypervisorError } from './errors'

test('a message of a peer can be stored and shown in one line, whatever ssh or virsh printed', () => {
  const printed = 'Permission denied.\r\nbanner\u0000\u001b[31m \ud83d'
  expect(new HypervisorError('closed', printed).message).toBe('Permission denied. banner [31m')
})
