import type { CloudFinding } from '../engine/cloud/finding'
import { cloudKindRow } from '../engine/cloud/kinds'
import type { CloudPlan } from '../engine/cloud/plan'
import type { CloudSnapshot, Part } from '../engine/cloud/snapshot'

// Findings and plans as `npm run cloud` prints them.

const WITNESSES = { nova: 'Nova', placement: 'Placement', libvirt: 'libvirt' } as const
const WITNESS_WIDTH = 10

const clock = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

function findingLines(finding: CloudFinding): readonly string[] {
  const { severity, title, object, cause, evidence, locked, kind } = finding
  const { instead } = cloudKindRow(kind)
  return [
    `${severity.toUpperCase()}  ${title}`,
    `  ${object.type} ${object.name}${object.name === object.id ? '' : ` (${object.id})`}`,
    `  ${cause}`,
    ...evidence.map(({ source, says, at }) => `    ${WITNESSES[source].padEnd(WITNESS_WIDTH)}${clock(at)}  ${says}`),
    ...(locked === null ? [] : [`  Locked: ${locked}`]),
    ...(instead === null ? [] : [`  What to do: ${instead}`]),
    '',
  ]
}

const SEVERITIES = ['critical', 'warning', 'info'] as const

export function auditLines(findings: readonly CloudFinding[], snapshot: CloudSnapshot): readonly string[] {
  const counts = SEVERITIES.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return `${count} ${severity}`
  })
  const noun = findings.length === 1 ? 'finding' : 'findings'
  const total = findings.length === 0 ? 'No findings' : `${findings.length} ${noun}: ${counts.join(', ')}`
  const unread = notRead(snapshot)
  return [
    ...findings.flatMap(findingLines),
    `${total}. ${judged(snapshot)}`,
    ...(unread.length === 0 ? [] : ['Not checked, because it was not read:', ...unread.map((each) => `  * ${each}`)]),
  ]
}

function judged({ servers, migrations, providers, hypervisors }: CloudSnapshot): string {
  const count = (part: Part<readonly unknown[]>, what: string) =>
    part.isRead ? `${part.value.length} ${what}` : `no ${what}`
  const parts = [
    ...[count(servers, 'instances'), count(migrations, 'migrations')],
    ...[count(hypervisors, 'hypervisors'), count(providers, 'providers')],
  ]
  return `Checked: ${parts.join(', ')}.`
}

/** Parts of the snapshot that were not read or may lack rows, each with the reason. */
export function notRead(snapshot: CloudSnapshot): readonly string[] {
  const { services, hypervisors, groups, flavors, servers, migrations, providers } = snapshot
  const parts = { services, hypervisors, groups, flavors, instances: servers, migrations, providers }
  const below = providers.isRead ? providers.value : []
  return [
    ...Object.entries(parts).flatMap(([name, part]: [string, Part<unknown>]) => {
      if (!part.isRead) return [`${name}: ${part.why}`]
      return part.complete ? [] : [`${name}: rows may be missing, for example because a cell is down`]
    }),
    ...below.flatMap(({ name, allocations, inventories }) =>
      [allocations, inventories].flatMap((part) => (part.isRead ? [] : [`provider ${name}: ${part.why}`])),
    ),
  ]
}

export function planLines({ steps, repairs, leftOut, at }: CloudPlan): readonly string[] {
  return [
    `Plan as of ${clock(at)}: ${steps.length} calls. This command sends none of them; --shell prints a script.`,
    '',
    ...repairs.flatMap(({ finding: { title, object }, before, after }) => [
      `${title}: ${object.name}`,
      ...before.map((line) => `  before  ${line}`),
      ...after.map((line) => `  after   ${line}`),
      '',
    ]),
    ...steps.flatMap(({ call: { service, method, path, microversion, does, undo } }, step) => [
      `${step + 1}. ${does}`,
      `   ${service} ${method} ${path} (microversion ${microversion})`,
      `   ${undo === null ? 'Cannot be undone.' : `Undo: ${undo.does}`}`,
    ]),
    ...(steps.length === 0 ? [] : ['']),
    ...leftOut.map(({ finding: { title, object }, reason, instead }) =>
      [`Not in the plan: ${title} (${object.name}). ${reason}`, instead].filter(Boolean).join(' '),
    ),
  ]
}
