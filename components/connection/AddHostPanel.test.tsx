import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ConnectionFiles, ProbeReport } from '@/server/api/connection/connections'
import { ConnectionForm } from './ConnectionForm'
import { type Draft, draftFor, readDraft } from './draft'
import { ProbeSteps } from './ProbeSteps'
import { probeStepWords } from './words'

afterEach(cleanup)

const NOTHING: ConnectionFiles = { sockets: [], pkiPaths: [], keyPaths: [], folders: ['/run/libvirt'] }
const FILES: ConnectionFiles = {
  sockets: ['/run/libvirt/libvirt-admin-sock', '/run/libvirt/libvirt-sock'],
  pkiPaths: ['/etc/pki/berth'],
  keyPaths: ['/etc/pki/berth/id'],
  folders: ['/run/libvirt', '/etc/pki/berth'],
}

describe('the connection form', () => {
  it('starts with the socket or files that exist on this machine', () => {
    expect(readDraft(draftFor(FILES))).toEqual({
      ok: true,
      address: { transport: { kind: 'unix', socketPath: '/run/libvirt/libvirt-sock' }, daemon: 'system' },
    })
    expect(readDraft(draftFor(NOTHING)).ok).toBe(false)
  })

  it('names a field for each mistake', () => {
    const draft: Draft = { ...draftFor(FILES), kind: 'ssh', host: '-x', user: '-l', keyPath: '' }
    expect(readDraft(draft)).toEqual({ ok: false, wrong: { host: expect.any(String), user: expect.any(String) } })
  })

  it('returns an address or an error, whatever is typed', () => {
    const kind = fc.constantFrom('unix' as const, 'tls' as const, 'ssh' as const)
    const property = fc.property(kind, fc.string(), fc.string(), (kind, host, user) => {
      const read = readDraft({ ...draftFor(FILES), kind, host, user })
      if (!read.ok) expect(Object.keys(read.wrong).length).toBeGreaterThan(0)
    })
    fc.assert(property)
  })

  it('allows a probe only when it is complete', () => {
    const probed = vi.fn()
    const draft: Draft = { ...draftFor(FILES), kind: 'tls' }
    const form = (host: string) => (
      <ConnectionForm files={FILES} draft={{ ...draft, host }} onChange={() => {}} onProbe={probed} />
    )
    const { rerender, container } = render(form(''))
    const submit = () => fireEvent.submit(container.querySelector('form') as HTMLFormElement)
    submit()
    expect(probed).not.toHaveBeenCalled()
    rerender(form('hv1'))
    submit()
    expect(probed).toHaveBeenCalledWith({
      transport: { kind: 'tls', host: 'hv1', port: 16_514, pkiPath: '/etc/pki/berth' },
      daemon: 'system',
    })
  })

  it('says which files are missing and where it searched', () => {
    render(<ConnectionForm files={NOTHING} draft={draftFor(NOTHING)} onChange={() => {}} onProbe={() => {}} />)
    expect(screen.getByText(/No folder with cacert.pem/)).toBeTruthy()
    expect(screen.getByText(/Searched: \/run\/libvirt/)).toBeTruthy()
  })

  it('shows a port as one types it', () => {
    render(<ConnectionForm files={NOTHING} draft={draftFor(NOTHING)} onChange={() => {}} onProbe={() => {}} />)
    expect(screen.getByLabelText('Port')).toHaveProperty('value', '16514')
  })
})

describe('a probe', () => {
  it('shows each step, and what to do about the one that failed', () => {
    const report: ProbeReport = {
      address: 'tls:hv1:16514',
      steps: [
        { step: 'reach', state: 'done', ms: 3, says: null, next: null },
        {
          step: 'authenticate',
          state: 'failed',
          ms: 1_204,
          says: 'not authenticated: no',
          next: 'check the certificate',
        },
        { step: 'versions', state: 'skipped', ms: null, says: null, next: null },
      ],
      unknown: ['disk'],
      preview: null,
    }
    render(
      <ProbeSteps steps={report.steps.map((each) => ({ ...each, label: probeStepWords[each.step] }))} unknown={null} />,
    )
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Reacheddone3 ms',
      'Authenticatednot authenticated: noTo do: check the certificate.1,204 ms',
      'Versionsskipped',
    ])
  })
})
