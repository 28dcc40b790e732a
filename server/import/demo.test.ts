import { describe, expect, it } from 'vitest'
import { demoHosts } from './demo-hosts'
import { DEMO_ALIASES, DEMO_FLAVORS, demoInstances } from './demo-instances'

describe('the demo fleet', () => {
  it('has hosts with two, four and eight NUMA nodes, with SMT, huge pages, VFs, vGPUs and PMEM', () => {
    const hosts = demoHosts(24)
    expect(hosts).toHaveLength(24)
    expect([...new Set(hosts.map((host) => host.numaNodes.length))].sort()).toEqual([2, 4, 8])
    expect(new Set(hosts.flatMap((host) => host.devices.map((device) => device.kind)))).toEqual(
      new Set(['pci', 'vgpu', 'vpmem']),
    )
    for (const host of hosts) {
      expect(host.numaNodes.every((node) => node.siblings.every((group) => group.length === 2))).toBe(true)
      expect(host.numaNodes.every((node) => node.pages.length === 3)).toBe(true)
    }
  })

  it('has unique names for hosts, and for units within a host', () => {
    const hosts = demoHosts(500)
    expect(new Set(hosts.map((host) => host.frame.id)).size).toBe(500)
    for (const host of hosts) {
      const units = host.devices.map((device) => device.unit)
      expect(new Set(units).size).toBe(units.length)
    }
  })

  it('mixes the roles of its instances, each with a flavor and existing aliases', () => {
    const instances = demoInstances(100)
    expect(new Set(instances.map((instance) => instance.name)).size).toBe(100)
    expect(new Set(instances.map((instance) => instance.flavor.name)).size).toBeGreaterThan(12)
    const asked = DEMO_FLAVORS.flatMap((flavor) => flavor.extraSpecs['pci_passthrough:alias']?.split(',') ?? [])
    for (const one of asked) expect(DEMO_ALIASES.map((alias) => alias.name)).toContain(one.split(':')[0])
  })
})
