import { expect, test } from 'vitest'
import { readSpecs, writeSpecs } from './specs'

test('specs are separated by lines or semicolons, with optional spaces', () => {
  expect(readSpecs(' hw:cpu_policy = dedicated ;hw:numa_nodes=2\n\nresources:VGPU=1;')).toEqual({
    'hw:cpu_policy': 'dedicated',
    'hw:numa_nodes': '2',
    'resources:VGPU': '1',
  })
})

test('a key without a value is kept, so that the server can name the mistake', () => {
  expect(readSpecs('hw:cpu_policy')).toEqual({ 'hw:cpu_policy': '' })
})

test('a value may contain an equals sign, and formatted specs parse back', () => {
  const specs = { a: 'b=c', 'pci_passthrough:alias': 'vf:2' }
  expect(readSpecs(writeSpecs(specs))).toEqual(specs)
})
