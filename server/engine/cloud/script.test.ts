import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CloudPlan, PlanStep } from './plan'
import { scriptOf } from './script'

// A real shell runs the script, with an `openstack` that records its arguments.

const HOSTILE = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 12 }),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom(
    ...[
      "'; touch canary; '",
      '$(touch canary)',
      '`touch canary`',
      '"; touch canary #',
      'a\ntouch canary',
      '\\',
      "'",
      '--help',
    ],
    ...['a\r\ntouch canary\r\n', '&& touch canary', '> canary', '!!', '~', '*', '$IFS', 'x\u2028touch canary', ''],
  ),
)
// A process argument cannot contain a NUL, nor a lone surrogate.
const argument = HOSTILE.map((text) => Buffer.from(text.replaceAll('\0', '')).toString())

const stepOf = (does: string, words: readonly string[], host: string): PlanStep => ({
  finding: does,
  call: {
    ...{
      service: 'nova',
      method: 'POST',
      path: '/',
      microversion: '2.1',
      body: null,
      does,
      instance: null,
      undo: null,
    },
    guards: [
      { kind: 'server', id: words[0] ?? '', host, vmState: does, taskState: null, updatedAt: null },
      { kind: 'service', host, state: 'up' },
      { kind: 'migration', uuid: does, status: host, updatedAt: null },
      { kind: 'dead-host', host },
      { kind: 'consumer', id: host, generation: 1, allocations: { [does]: { VCPU: 1 } } },
    ],
    commands: [words],
  },
})

/** What `openstack` prints for the checks of such a step, in order. */
const answersOf = ({ call }: PlanStep): readonly string[] =>
  call.guards.flatMap((guard) => {
    if (guard.kind === 'server') return ['None', guard.vmState, guard.host ?? 'None']
    if (guard.kind === 'service') return [guard.state]
    return guard.kind === 'consumer' ? ['shown'] : []
  })

// Only builtins: each process costs more than all its work.
const OPENSTACK = `#!/bin/bash
printf '%s\\0' "$@" 'end of call' >> calls
read -r n < count; echo $((n + 1)) > count
if [ -e "answer-$n" ]; then printf '%s\\n' "$(<"answer-$n")"; fi
`

interface Run {
  readonly status: number | null
  readonly calls: readonly (readonly string[])[]
  readonly canary: boolean
}

function run(script: string, answers: readonly string[]): Run {
  const folder = mkdtempSync(join(tmpdir(), 'plan-'))
  try {
    writeFileSync(join(folder, 'openstack'), OPENSTACK, { mode: 0o755 })
    writeFileSync(join(folder, 'plan.sh'), script)
    writeFileSync(join(folder, 'count'), '0')
    writeFileSync(join(folder, 'calls'), '')
    for (const [at, answer] of answers.entries()) writeFileSync(join(folder, `answer-${at}`), answer)
    const { status } = spawnSync('env', [`PATH=${folder}:/usr/bin:/bin`, 'bash', 'plan.sh'], { cwd: folder })
    const words = readFileSync(join(folder, 'calls'), 'utf8').split('end of call\0').slice(0, -1)
    return {
      status,
      calls: words.map((each) => each.split('\0').slice(0, -1)),
      canary: existsSync(join(folder, 'canary')),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const planOf = (steps: readonly PlanStep[]): CloudPlan => ({ at: 0, steps, repairs: [], leftOut: [] })

/** A shell strips trailing newlines from a command's output, so no such value can be compared. */
const comparable = argument.filter((text) => !text.endsWith('\n'))

const hostileStep = fc
  .tuple(comparable, comparable, fc.array(argument, { minLength: 1, maxLength: 4 }))
  .map(([does, host, words]) => stepOf(does, words, host))

test('an exported plan runs exactly its own commands, whatever the names of instances', () => {
  fc.assert(
    fc.property(fc.array(hostileStep, { minLength: 4, maxLength: 12 }), comparable, (steps, name) => {
      const script = scriptOf(planOf(steps), { cloud: name, connection: name })
      const { calls, canary, status } = run(
        script,
        steps.flatMap((step) => [...answersOf(step), '']),
      )
      expect({ canary, status }).toEqual({ canary: false, status: 0 })
      const each = steps.map((step) => answersOf(step).length + 1)
      const lasts = each.map((_, at) => each.slice(0, at + 1).reduce((sum, count) => sum + count, -1))
      expect(lasts.map((at) => calls[at])).toEqual(steps.map(({ call }) => call.commands[0]))
    }),
    { numRuns: 4 },
  )
})

test('an exported plan stops at the first changed value, before its command', () => {
  const step = stepOf('stop', ['server', 'stop', 'x'], 'host')
  const script = scriptOf(planOf([step]), { cloud: 'lab', connection: 'lab' })
  const { calls, status } = run(script, ['migrating'])
  expect(status).toBe(1)
  expect(calls).toEqual([['server', 'show', '-f', 'value', '-c', 'OS-EXT-STS:task_state', 'server']])
})
