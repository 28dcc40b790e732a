import { describe, expect, it } from 'vitest'
import { statusOfCodes, statusOfText } from '../domain-status'
import { readEvent, readFreePages, readJobStatistics, readVersions } from './output'

describe('the output of virsh', () => {
  it('maps every state and reason to the codes of libvirt', () => {
    for (let state = 0; state < 8; state++)
      for (let reason = 0; reason < 20; reason++) {
        const status = statusOfCodes(state, reason)
        expect(statusOfText(`${status.state} (${status.reason})\n\n`)).toEqual(status)
      }
    expect(statusOfCodes(3, 2)).toEqual({ state: 'paused', reason: 'migrating' })
    expect(statusOfCodes(99, 1)).toEqual({ state: 'no state', reason: 'unknown' })
    expect(statusOfText('running (by a reason of tomorrow)')).toEqual({ state: 'running', reason: 'unknown' })
    expect(statusOfText('error: failed')).toBeNull()
  })

  it('yields the versions of the daemon, not of the command', () => {
    const text = `Compiled against library: libvirt 9.0.0
Using library: libvirt 9.0.0
Using API: QEMU 9.0.0
Running hypervisor: QEMU 7.2.22
Running against daemon: 8.6.0
`
    expect(readVersions(text)).toEqual({ libvirt: '8.6.0', hypervisor: '7.2.22' })
    expect(() => readVersions('Using library: libvirt 9.0.0')).toThrow('no versions')
  })

  it('yields a number of free pages or an error', () => {
    expect(readFreePages('2048KiB: 512\n\n')).toBe(512)
    expect(() => readFreePages('2048KiB: many')).toThrow('no number of free pages')
  })

  it('yields the statistics of a job under the names of libvirt', () => {
    const text =
      'Job type: 2\n\noperation: 5\ntime_elapsed: 1207\nmemory_total: 34226176\nmemory_bps: 8\nerrmsg: it: broke\n'
    expect(readJobStatistics(text)).toMatchObject({
      ...{ type: 'unbounded', operation: 'migration-out', elapsedMs: 1207, memoryTotalBytes: 34_226_176 },
      ...{ memoryBytesPerS: 8, downtimeMs: null, error: 'it: broke' },
    })
    expect(readJobStatistics('Job type: 0\n\n')).toMatchObject({ type: 'none', operation: 'unknown' })
    expect(() => readJobStatistics('')).toThrow('no job')
  })

  it.each([
    ["event 'lifecycle' for domain 'it's': Started Migrated", { kind: 'lifecycle', name: "it's", event: 'started' }],
    ["event 'migration-iteration' for domain 'a': iteration: '3'", { kind: 'migration-iteration', iteration: 3 }],
    ["event 'job-completed' for domain 'a':", { kind: 'job-completed', name: 'a' }],
    ["event 'lifecycle' for domain 'a': Pondered", null],
    ['\toperation: 5', null],
  ])('parses the line %j to an event or nothing', (line, event) => {
    if (event === null) expect(readEvent(line)).toBeNull()
    else expect(readEvent(line)).toMatchObject(event)
  })
})
