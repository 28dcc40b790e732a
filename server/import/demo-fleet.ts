import { demoHosts } from './demo-hosts'
import { DEMO_ALIASES, DEMO_FLAVORS, demoInstances } from './demo-instances'
import type { Fleet } from './register'

export const DEMO_HOSTS = 24
export const DEMO_INSTANCES = 200

const INSTANCES_PER_HOST = 16 // at 20, three hosts in four have no free pinned CPUs

/** The fleet that a first start shows. The same numbers give the same fleet. */
export function demoFleet(hosts = DEMO_HOSTS, instances = DEMO_INSTANCES): Fleet {
  return {
    hosts: demoHosts(hosts, Math.max(1, Math.ceil(instances / hosts / INSTANCES_PER_HOST))),
    workloads: demoInstances(instances),
    aliases: DEMO_ALIASES,
    flavors: DEMO_FLAVORS,
    order: 'spread',
  }
}
