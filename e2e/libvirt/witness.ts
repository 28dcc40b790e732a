import fs from 'node:fs'
import path from 'node:path'
import { type APIRequestContext, expect } from '@playwright/test'
import { parseCpuList } from '../../server/engine/topology/cpu/cpu-list'
import { mutateApi, queryApi } from '../api'
import type { RealFleet } from './fleet'
import type { RigHost } from './rig-host'

// Compares what `virsh` and the kernel report for the hosts with Berth's records. Nothing here uses Berth's driver.

export interface SeenDomain {
  readonly uuid: string
  /** As `virsh domstate --reason` prints it. */
  readonly state: string
}

/** Berth's domains on a host, without foreign ones. */
export async function domainsOf(
  { foreignDomains }: Pick<RealFleet, 'foreignDomains'>,
  host: RigHost,
): Promise<SeenDomain[]> {
  const uuids = (await host.virsh('list', '--all', '--uuid')).split(/\s+/).filter(Boolean)
  const own = uuids.filter((uuid) => !foreignDomains.isOne(host, uuid)).sort()
  const seen = own.map(async (uuid) => {
    const state = await host.virsh('domstate', '--reason', uuid).catch((error: Error) => {
      if (isNoSuchDomain(error)) return null // it disappeared after it was listed
      throw error
    })
    return state === null ? [] : [{ uuid, state: state.trim() }]
  })
  return (await Promise.all(seen)).flat()
}

/** `virsh` first looks a domain up, and then asks about it: it may be gone before either. */
export const isNoSuchDomain = (error: unknown): boolean => /failed to get domain|Domain not found/.test(String(error))

interface RecordedInstance {
  readonly id: string
  readonly name: string
  readonly vmState: string
  readonly host: { readonly id: string; readonly name: string } | null
  readonly migration: unknown
}

interface RecordedClaim {
  readonly host: { readonly name: string }
}

/** Instances by host. */
type Places = Readonly<Record<string, readonly string[]>>

async function recordedPlaces(request: APIRequestContext, hosts: readonly RigHost[]): Promise<Places> {
  const { rows } = await queryApi<{ rows: readonly RecordedInstance[] }>(request, 'instance.list', {})
  const claims = await Promise.all(
    rows.map(async ({ id, name, vmState }) => {
      const detail = await queryApi<{ claims: readonly RecordedClaim[] }>(request, 'instance.byId', { id })
      return detail.claims.map(({ host }) => ({ host: host.name, says: `${id} ${vmState}`, name }))
    }),
  )
  return byHost(hosts, (host) => claims.flat().flatMap((each) => (each.host === host.name ? [each.says] : [])))
}

async function shownPlaces(fleet: RealFleet): Promise<Places> {
  const shown = new Map<string, readonly string[]>()
  for (const host of fleet.rig.hosts)
    shown.set(
      host.name,
      (await domainsOf(fleet, host)).map(
        ({ uuid, state }) => `${uuid} ${/^running/.test(state) ? 'active' : 'stopped'}`,
      ),
    )
  return byHost(fleet.rig.hosts, ({ name }) => shown.get(name) ?? [])
}

const byHost = (hosts: readonly RigHost[], of: (host: RigHost) => readonly string[]): Places =>
  Object.fromEntries(hosts.map((host) => [host.name, [...of(host)].sort()]))

/** Differences between `virsh`, the claims and the audit. */
export async function stateDifferences(request: APIRequestContext, fleet: RealFleet): Promise<readonly string[]> {
  await mutateApi(request, 'finding.audit', {})
  const { rows } = await queryApi<{ rows: readonly { kind: string }[] }>(request, 'finding.list', {})
  const [shown, recorded] = [await shownPlaces(fleet), await recordedPlaces(request, fleet.rig.hosts)]
  const differ = fleet.rig.hosts.flatMap(({ name }) => {
    const [there, here] = [shown[name], recorded[name]].map((each) => (each ?? []).join(', ') || 'nothing')
    return there === here ? [] : [`${name}: virsh shows ${there}; claims are of ${here}`]
  })
  return [...differ, ...rows.map(({ kind }) => `finding: ${kind}`)]
}

/** Polls, because a host may still be finishing the last action. */
export const expectAgreement = (request: APIRequestContext, fleet: RealFleet) =>
  expect.poll(() => stateDifferences(request, fleet)).toEqual([])

/** The CPU of this machine that represents a CPU of a rig host (fold.c). */
export function foldedCpu(cpu: string): string {
  const [, list = ''] = /^Cpus_allowed_list:\s*(\S+)/m.exec(readOr('/proc/self/status')) ?? []
  const real = parseCpuList(list) ?? []
  return `${real[Number(cpu) % real.length]}`
}

/** `0→1`: the CPU affinity of each vCPU thread, from the kernel; null: this machine has no such process. */
export function affinityOf(uuid: string): readonly string[] | null {
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const pid = pids.find((each) => readOr(`/proc/${each}/cmdline`).split('\0').join(' ').includes(`-uuid ${uuid}`))
  if (pid === undefined) return null
  const threads = fs.readdirSync(`/proc/${pid}/task`).map((thread) => path.join(`/proc/${pid}/task`, thread))
  const pins = threads.flatMap((thread) => {
    const [, vcpu] = /^CPU (\d+)\//.exec(readOr(path.join(thread, 'comm'))) ?? []
    const [, allowed] = /^Cpus_allowed_list:\s*(\S+)/m.exec(readOr(path.join(thread, 'status'))) ?? []
    return vcpu === undefined || allowed === undefined ? [] : [`${vcpu}→${allowed}`]
  })
  return pins.sort()
}

const readOr = (file: string) => {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return '' // the process has ended meanwhile
  }
}

/** vCPU→CPU pins of the running domain and of its definition. */
export async function pinsOf(
  { virsh }: RigHost,
  uuid: string,
): Promise<{ readonly live: readonly string[]; readonly stored: readonly string[] }> {
  const pins = (xml: string) =>
    [...xml.matchAll(/<vcpupin vcpu='(\d+)' cpuset='([\d,-]+)'/g)].map(([, vcpu, cpu]) => `${vcpu}→${cpu}`)
  return { live: pins(await virsh('dumpxml', uuid)), stored: pins(await virsh('dumpxml', '--inactive', uuid)) }
}
