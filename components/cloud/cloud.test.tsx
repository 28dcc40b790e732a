import { act, cleanup, configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { CloudView } from '@/server/api/cloud/answers'
import type { CloudProbeReport } from '@/server/api/cloud/clouds'
import type { CloudFindingDetail } from '@/server/api/cloud/view'
import { show } from '../console/testing/show'
import { Toasts } from '../ui/overlay/Toasts'
import { AddCloudPanel } from './AddCloudPanel'
import { ApplyRepair } from './ApplyRepair'
import { FenceButton } from './action/FenceButton'
import { CloudActions } from './CloudActions'
import { CloudFindings } from './CloudFindings'
import { CloudInstances } from './CloudLists'
import { CloudOverview } from './CloudOverview'
import { CloudTable } from './CloudTable'

// Generous, for busy machines.
configure({ asyncUtilTimeout: 20_000 })
beforeAll(() => import('../ui/overlay/overlays')) // overlays load on first open
afterEach(cleanup)

const counts = { hosts: 2, instances: 5, migrating: 0, critical: 0, warning: 0, info: 0 }
const status = {
  ...{ at: 1, reachedAt: 1, error: null, fix: null, requestsPerS: 0.3, pollMs: 400, auditMs: 20, counts },
  notifications: null,
}
const notified = (receivedAt: number | null, failure: string | null) => ({
  ...{ ...status, notifications: { receivedAt, failure } },
})
const cloud = (over: Partial<CloudView> = {}): CloudView => ({
  ...{ id: 'c', name: 'prod', enabled: true, mayAct: false, addedAt: 0, status, readAt: 0, notRead: [], witnessed: 1 },
  reach: { authUrl: 'http://k/v3', region: 'RegionOne', interface: 'public', account: 'user reader', verify: true },
  ...over,
})

describe('the overview of a cloud', () => {
  it.each<[string, Partial<CloudView>, RegExp | string]>([
    ['is healthy', {}, /Healthy: no findings among 5 instances on 2 hosts/],
    [
      'has findings',
      { status: { ...status, counts: { ...counts, critical: 1, info: 1 } } },
      '2 findings: 1 critical, 1 info.',
    ],
    ['was never read', { status: { ...status, counts: null } }, /has not been read yet/],
    [
      'is unreachable',
      { status: { ...status, error: 'not reached', fix: 'Check it.' } },
      /does not answer: not reached/,
    ],
    ['is not watched', { enabled: false }, /not watched now/],
    ['has settings that cannot be read', { reach: null }, /settings of this cloud cannot be read/],
    ['lacks a right', { notRead: ['migrations: 403'] }, /migrations: 403/],
    ['is only polled', {}, /not set up: changes are polled/],
    ['waits for notifications', { status: notified(null, null) }, /listening, none yet/],
    ['has received a notification', { status: notified(1, null) }, /listening, last one/],
    [
      'receives no notifications',
      { status: notified(1, 'ECONNREFUSED') },
      /not received \(ECONNREFUSED\): changes are polled/,
    ],
  ])('shows when it %s', (_, over, says) => {
    show(<CloudOverview cloud={cloud(over)} />)
    expect(screen.getByText(says)).toBeTruthy()
    expect(screen.getByText(/Nova has no API for them/)).toBeTruthy()
  })
})

describe('the list of clouds', () => {
  it('shows the state of each cloud, and says so when one was never read', async () => {
    const fresh = cloud({ id: 'd', name: 'new', status: null, mayAct: true })
    show(<CloudTable />, { 'cloud.list': [cloud(), fresh] })
    const row = await screen.findByRole('row', { name: /prod.*healthy.*read-only.*2.*5/ })
    expect(within(row).getByRole('link', { name: 'prod' }).getAttribute('href')).toBe('/clouds/c')
    expect(screen.getByRole('row', { name: /new.*starting.*actions allowed.*unknown/ })).toBeTruthy()
  })
})

const evidence = [
  { source: 'nova' as const, says: 'active on cmp1, running', at: 0 },
  { source: 'placement' as const, says: 'the instance holds nothing', at: 0 },
]
const finding: CloudFindingDetail = {
  ...{ id: 'allocation-missing i', kind: 'allocation-missing', severity: 'critical', cause: 'Somebody deleted it.' },
  ...{ title: 'An instance has no allocation', objectType: 'instance', objectId: 'i', objectName: 'web-0' },
  ...{ hosts: ['cmp1'], instances: ['i'], locked: null, evidence, instead: 'Make room.' },
  repair: {
    ...{ kind: 'calls', before: ['web-0 holds nothing'], after: ['web-0 holds 2 VCPU'] },
    calls: [
      {
        ...{ service: 'placement', does: 'Sets its allocations to 2 VCPU.', undo: null },
        ...{ call: 'placement POST /allocations (1.28)', body: '{}' },
      },
    ],
    print: 'shown',
  },
}
const findingAnswers = (detail: CloudFindingDetail) => ({
  'cloud.findings': { rows: [detail], total: 1, seq: '1' },
  'cloud.finding': detail,
})

const PICKED = '?finding=allocation-missing+i'

describe('a finding of a cloud', () => {
  it('opens with what each service reports and the calls that would repair it', async () => {
    const { requests } = show(<CloudFindings id="c" mayAct />, findingAnswers(finding))
    await userEvent.click(await screen.findByRole('cell', { name: 'web-0' }))
    const pane = within(await screen.findByRole('complementary', { name: 'Repair' }))
    for (const says of ['the instance holds nothing', 'placement POST /allocations (1.28)', 'Cannot be undone.'])
      expect(await pane.findByText(says)).toBeTruthy()
    await userEvent.click(pane.getByRole('button', { name: 'Download script' }))
    expect(requests.at(-1)).toEqual({ path: 'cloud.script', input: { id: 'c', findings: ['allocation-missing i'] } })
  })

  it('applies the calls that were shown, with a reason, and shows the result of each', async () => {
    const outcomes = [{ does: 'Sets its allocations to 2 VCPU.', did: 'refused', says: 'Placement answers 409' }]
    const answers: Record<string, unknown> = {
      ...findingAnswers(finding),
      'cloud.repair': { outcomes, proposal: null },
    }
    const { requests } = show(<CloudFindings id="c" mayAct />, answers, PICKED)
    await userEvent.click(await screen.findByRole('button', { name: 'Apply repair' }))
    // As after the next read of the cloud.
    answers['cloud.finding'] = null
    const dialog = within(await screen.findByRole('alertdialog'))
    await userEvent.type(await dialog.findByLabelText(/Reason/), 'night shift')
    await userEvent.click(dialog.getByRole('button', { name: 'Apply repair' }))
    const input = { id: 'c', finding: 'allocation-missing i', print: 'shown', reason: 'night shift' }
    expect(requests).toContainEqual({ path: 'cloud.repair', input })
    expect(await screen.findByText('The last audit no longer reports this finding.')).toBeTruthy()
    expect(screen.getByText('Placement answers 409')).toBeTruthy()
    expect(within(screen.getByRole('complementary')).getByRole('heading', { name: finding.title })).toBeTruthy()
  })

  it('says that its repair awaits approval, and links to the request', async () => {
    const outcomes = [{ does: 'Sets its allocations to 2 VCPU.', did: 'not-sent', says: 'A second person has to' }]
    const answers = { ...findingAnswers(finding), 'cloud.repair': { outcomes, proposal: 'p' } }
    const page = (
      <>
        <CloudFindings id="c" mayAct />
        <Toasts />
      </>
    )
    show(page, answers, PICKED)
    await userEvent.click(await screen.findByRole('button', { name: 'Apply repair' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    await userEvent.type(await dialog.findByLabelText(/Reason/), 'night shift')
    await userEvent.click(dialog.getByRole('button', { name: 'Apply repair' }))
    expect(await screen.findByText('Sent for approval')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Requests awaiting approval' }).getAttribute('href')).toBe('/heal')
  })

  it('folds its evidence away once its calls were sent, until a later read finds it again', async () => {
    const outcomes = [{ does: 'Sets its allocations to 2 VCPU.', did: 'sent', says: 'Placement answers 204' }]
    const answers: Record<string, unknown> = {
      ...findingAnswers(finding),
      'cloud.repair': { outcomes, proposal: null },
    }
    const { queries } = show(<CloudFindings id="c" mayAct />, answers, PICKED)
    await userEvent.click(await screen.findByRole('button', { name: 'Apply repair' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    await userEvent.type(await dialog.findByLabelText(/Reason/), 'night shift')
    await userEvent.click(dialog.getByRole('button', { name: 'Apply repair' }))
    expect(await screen.findByText(/^The calls were sent\. The next read/)).toBeTruthy()
    const pane = within(screen.getByRole('complementary'))
    expect(pane.queryByText('critical')).toBeNull()
    expect(pane.getByText('the instance holds nothing').closest('details')?.open).toBe(false)
    answers['cloud.finding'] = { ...finding, evidence: evidence.map((each) => ({ ...each, at: 60_000 })) }
    void queries.invalidateQueries()
    expect(await pane.findByText('critical')).toBeTruthy()
    expect(screen.queryByText(/^The calls were sent/)).toBeNull()
    expect(pane.getByText('the instance holds nothing').closest('details')).toBeNull()
  })

  it('offers no repair in a read-only cloud', async () => {
    show(<CloudFindings id="c" mayAct={false} />, findingAnswers(finding), PICKED)
    const button = await screen.findByRole('button', { name: 'Apply repair' })
    await userEvent.click(button)
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('offers no call while an action is in progress', async () => {
    const locked = { ...finding, locked: 'its task is migrating', repair: { kind: 'none', reason: 'locked' } as const }
    show(<CloudFindings id="c" mayAct />, findingAnswers(locked), PICKED)
    expect(await screen.findByText(/In progress: its task is migrating/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Download script' })).toBeNull()
  })

  it('shows the reason why it is left out of the plan', async () => {
    const leftOut = [{ title: 'An instance runs on two hosts', about: 'db-1', why: 'No call mends it.' }]
    show(<CloudFindings id="c" mayAct />, {
      ...findingAnswers(finding),
      'cloud.plan': { at: 0, calls: [], repairs: [], leftOut },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Review repair plan' }))
    expect(await screen.findByText('No call is planned.')).toBeTruthy()
    expect(screen.getByText('No call mends it.')).toBeTruthy()
  })
})

describe('instances of a cloud', () => {
  it('show which values were not reported instead of empty cells', async () => {
    const row = {
      ...{ id: 'i', name: 'web-0', host: 'cmp1', vmState: 'active', taskState: 'migrating', status: 'MIGRATING' },
      ...{ power: 'running', flavor: 'f1', holds: null, pins: null, fault: null, locked: false, project: 'p' },
      ...{ zone: null, findings: 0, createdAt: 0, updatedAt: 0 },
    }
    show(<CloudInstances id="c" mayAct={false} />, { 'cloud.instances': { rows: [row], total: 1, seq: '1' } })
    expect(
      await screen.findByRole('row', { name: /web-0.*active.*migrating.*running.*cmp1.*f1.*needs a report from Nova/ }),
    ).toBeTruthy()
  })
})

describe('a change to a cloud', () => {
  it('needs a reason, and a removal also needs the typed name', async () => {
    const { requests, push } = show(<CloudActions cloud={cloud()} />, { 'cloud.remove': null })
    await userEvent.click(screen.getByRole('button', { name: 'Remove cloud' }))
    const dialog = within(await screen.findByRole('alertdialog'))
    await userEvent.type(await dialog.findByLabelText(/prod/), 'prod')
    await userEvent.type(dialog.getByLabelText(/Reason/), 'sold')
    await userEvent.click(dialog.getByRole('button', { name: 'Remove cloud' }))
    expect(requests.at(-1)).toEqual({ path: 'cloud.remove', input: { id: 'c', reason: 'sold' } })
    await vi.waitFor(() => expect(push).toHaveBeenCalledWith('/clouds'))
  })

  it('leaves its button in place, which then offers the opposite', () => {
    let change = () => {}
    function Page() {
      const [enabled, setEnabled] = useState(true)
      change = () => setEnabled(false)
      return <CloudActions cloud={cloud({ enabled })} />
    }
    show(<Page />)
    const button = screen.getByRole('button', { name: 'Stop watching' })
    act(change)
    expect(screen.getByRole('button', { name: 'Watch cloud' })).toBe(button)
  })
})

async function* probed(): AsyncGenerator<CloudProbeReport> {
  const step = { name: 'Keystone', state: 'done' as const, ms: 3, says: 'answers with v3.14', next: null }
  yield {
    address: 'http://k/v3',
    steps: [{ ...step, state: 'running', says: null, ms: null }],
    unknown: null,
    isReached: false,
  }
  yield { address: 'http://k/v3', steps: [step], unknown: ['what really runs on a host'], isReached: true }
}

describe('adding a cloud', () => {
  it('leads from its files through the probe to its page', async () => {
    const choices = [{ name: 'lab', regions: ['one', 'two'], problems: [] }]
    const answers = { 'cloud.choices': choices, 'cloud.probe': probed(), 'cloud.add': { cloud: 'c' } }
    const { requests, push } = show(<AddCloudPanel />, answers)
    await userEvent.click(screen.getByLabelText('clouds.yaml'))
    await userEvent.paste('clouds: {lab: {}}')
    await userEvent.click(screen.getByRole('button', { name: 'Read files' }))
    await userEvent.click(await screen.findByRole('button', { name: 'Probe cloud' }))
    expect(await screen.findByText('answers with v3.14')).toBeTruthy()
    const upload = { clouds: 'clouds: {lab: {}}', secure: null, ca: null, cloud: 'lab', region: 'one', interface: null }
    expect(requests.at(-1)).toEqual({ path: 'cloud.probe', input: upload })
    expect(await screen.findByText('what really runs on a host')).toBeTruthy()
    await userEvent.type(await screen.findByLabelText('Reason'), 'ours')
    await userEvent.click(screen.getByRole('button', { name: 'Add lab' }))
    expect(requests.at(-1)).toEqual({ path: 'cloud.add', input: { name: 'lab', upload, reason: 'ours' } })
    await vi.waitFor(() => expect(push).toHaveBeenCalledWith('/clouds/c'))
  })

  it('stops before the probe and names the key while a file is wrong', async () => {
    const problem = {
      file: 'clouds.yaml',
      key: 'clouds.lab.cacert',
      what: 'it names a file',
      fix: 'paste the CA itself',
    }
    show(<AddCloudPanel />, { 'cloud.choices': [{ name: 'lab', regions: [], problems: [problem] }] })
    await userEvent.click(screen.getByLabelText('clouds.yaml'))
    await userEvent.paste('clouds: {lab: {}}')
    await userEvent.click(screen.getByRole('button', { name: 'Read files' }))
    expect(await screen.findByText('clouds.lab.cacert: it names a file; paste the CA itself.')).toBeTruthy()
  })
})

describe('an action on a cloud that two-person approval applies to', () => {
  const dialogWith = async (secondPerson: readonly string[]) => {
    const me = { role: 'operator', permitted: { migrate: { ok: true } } }
    show(<FenceButton cloud="c" host="cmp1" isFenced={false} />, {
      'setting.rules': { secondPerson },
      'session.me': me,
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Mark as fenced' }))
    const verbs = (await screen.findAllByRole('button')).map((button) => button.textContent)
    return { verbs, asks: screen.queryByText('Nothing changes until a second person approves it.') !== null }
  }

  it('says before the click that it is only requested', async () => {
    const { verbs, asks } = await dialogWith(['fenced'])
    expect([verbs.at(-1), asks]).toEqual(['Request approval: mark as fenced', true])
  })

  it.each([
    ['placement', ['cloud'], 'Apply repair'],
    ['nova', ['cloud'], 'Request approval: apply repair'],
    ['placement', ['heal'], 'Request approval: apply repair'],
  ] as const)(
    'names a repair by calls to %s while approval applies to %j "%s"',
    async (service, secondPerson, verb) => {
      const me = { role: 'operator', permitted: { migrate: { ok: true } } }
      const call = { service, does: 'Repairs it.', call: `${service} POST /a (1.1)`, body: '', undo: null }
      show(<ApplyRepair cloud="c" mayAct finding="f" calls={[call]} print="p" onApplied={() => {}} />, {
        'setting.rules': { secondPerson },
        'session.me': me,
      })
      await userEvent.click(await screen.findByRole('button', { name: 'Apply repair' }))
      const dialog = within(await screen.findByRole('alertdialog'))
      expect(await dialog.findByRole('button', { name: verb })).toBeTruthy()
    },
  )

  it('says nothing of it while another action needs approval', async () => {
    const { verbs, asks } = await dialogWith(['lost'])
    expect([verbs.at(-1), asks]).toEqual(['Mark as fenced', false])
  })
})
