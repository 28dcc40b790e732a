import type { CloudGuard } from './guard'
import type { CloudPlan } from './plan'

// A plan as a shell script of `openstack` commands, for sites that do not let a program act. Tenants choose the names
// of instances, so every argument is quoted, and a comment is one line of printable characters.

const PLAIN = /^[A-Za-z0-9_./:=,-]+$/

/** Within single quotes a shell interprets only the closing quote. */
const quoted = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

// Also strips invisible and bidirectional characters, so that a line shows what it says.
const comment = (text: string): string => `# ${text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()}`

/** `openstack` commands that read what a guard checks. What they cannot read becomes a comment for the operator. */
function checksOf(guard: CloudGuard): readonly string[] {
  switch (guard.kind) {
    case 'server':
      return [
        expect(['server', 'show', '-f', 'value', '-c', 'OS-EXT-STS:task_state', guard.id], guard.taskState ?? 'None'),
        expect(['server', 'show', '-f', 'value', '-c', 'OS-EXT-STS:vm_state', guard.id], guard.vmState),
        expect(['server', 'show', '-f', 'value', '-c', 'OS-EXT-SRV-ATTR:host', guard.id], guard.host ?? 'None'),
      ]
    case 'service':
      return [expect(['compute', 'service', 'list', '--host', guard.host, ...STATE_OF_COMPUTE], guard.state)]
    case 'service-row':
      return [
        comment(
          `Check that nova-compute on ${guard.host} is ${guard.status} and ${guard.forcedDown ? '' : 'not '}forced down.`,
        ),
      ]
    case 'consumer':
      return [
        comment(`Check that the allocations of ${guard.id} are still: ${JSON.stringify(guard.allocations)}`),
        `openstack resource provider allocation show ${quoted(guard.id)}`,
      ]
    case 'migration':
      return [comment(`Check that migration ${guard.uuid} is still ${guard.status}.`)]
    case 'dead-host':
      return [comment(`Check that host ${guard.host} is powered off.`)]
    case 'no-domain':
      return [comment(`Check on host ${guard.host} that no domain ${guard.instance} runs: virsh domstate.`)]
    case 'pins':
      return [
        comment(`Check on host ${guard.host} that domain ${guard.instance} is pinned ${guard.real}: virsh vcpupin.`),
      ]
    case 'unused-provider':
      return [comment(`Check that nothing is allocated from provider ${guard.id}.`)]
  }
}

const STATE_OF_COMPUTE = ['--service', 'nova-compute', '-f', 'value', '-c', 'State']

const expect = (command: readonly string[], value: string): string =>
  ['expect_value', quoted(value), ...command.map(quoted)].join(' ')

const HEAD = `#!/usr/bin/env bash
set -euo pipefail
export LC_ALL=C
# Reads a value and ends the script unless it is still the expected one. Nothing after it is done.
expect_value() {
  local want=$1 now
  shift
  now=$(openstack "$@")
  [ "$now" = "$want" ] || { printf 'Changed since the plan was made: %s is %s and not %s. Nothing more is done.\\n' "$*" "$now" "$want" >&2; exit 1; }
}`

export interface ScriptOptions {
  /** Name of the cloud in clouds.yaml. */
  readonly cloud: string
  readonly connection: string
}

export function scriptOf(plan: CloudPlan, { cloud, connection }: ScriptOptions): string {
  const head = [
    HEAD,
    comment(`Repair plan for ${connection}, made from what was read at ${new Date(plan.at).toISOString()}.`),
    `export OS_CLOUD=${quoted(cloud)}`,
  ]
  const steps = plan.steps.flatMap(({ call }, at) => [
    '',
    comment(`Step ${at + 1} of ${plan.steps.length}: ${call.does}`),
    ...call.guards.flatMap(checksOf),
    ...call.commands.map((command) => ['openstack', ...command.map(quoted)].join(' ')),
    ...(call.undo === null
      ? [comment('This step cannot be undone.')]
      : call.undo.commands.map((command) => comment(`Undo: ${['openstack', ...command.map(quoted)].join(' ')}`))),
  ])
  const left = plan.leftOut.map(({ finding, reason, instead }) =>
    comment(`Not in this plan: ${finding.title} (${finding.object.name}). ${reason} ${instead ?? ''}`),
  )
  return [...head, ...steps, '', ...left, ''].join('\n')
}
