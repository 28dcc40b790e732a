import { expect, test } from 'vitest'
import { readSpecs, writeSpecs } from './specs'

test('lines and semicolons, with room around them', () => {
  expect(readSpecs(' hw:cpu_policy = dedicated ;hw:numa_nodes=2\n\nresources:VGPU=1;')).toEqual({
    'hw:cpu_policy': 'dedicated',
    'hw:numa_nodes': '2',
    'resources:VGPU': '1',
  })
})

test('a key without a value is kept, so that the server can say what is wrong with it', () => {
  expect(readSpecs('hw:cpu_policy')).toEqual({ 'hw:cpu_policy': '' })
})

test('a value may hold an equals sign, and what is written is read again', () => {
  const specs = { a: 'b=c', 'pci_passthrough:alias': 'vf:2' }
  expect(readSpecs(writeSpecs(specs))).toEqual(specs)
})
