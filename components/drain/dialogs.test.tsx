import { cleanup, configure, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Verdict } from '@/server/api/advice/router'
import type { FencingAttempt } from '@/server/api/fencing/view'
import type { HostDetail } from '@/server/api/host/view'
import type { MigrationConsequences } from '@/server/api/migration/consequences'
import type { EvacuationPlan, EvacuationView } from '@/server/api/run/evacuation'
import type { RunDetail, RunState } from '@/server/api/run/view'
import { show } from '../console/testing/show'
import { FencingPanel } from '../evacuation/FencingPanel'
import { StartEvacuation } from '../evacuation/StartEvacuation'
import { HostActionDialog } from '../host/HostActionDialog'
import { ActionConsequences } from '../migration/requested-action/ActionConsequences'
import { ReturnToService } from './ReturnToService'
import { RunControls } from './RunControls'
import { RunEstimate } from './RunEstimate'

// What the dialogs of a drain, an evacuation and a forced migration show before the click, and what they request. The
// server is a table of responses.

configure({ asyncUtilTimeout: 20_000 })
beforeAll(async () => void (await Promise.all([import('../ui/overlay/overlays'), import('../ui/overlay/ConfirmForm')])))
afterEach(cleanup)

const ok = { ok: true } as const
const no = { ok: false, why: 'not now' } as const
const host = { id: 'h', name: 'h-07' }
const run = (over: Partial<RunDetail> = {}): RunDetail => ({
  ...{ id: 'r', kind: 'drain', host, state: 'draft', total: 2, done: 0, failed: 0, left: 0, by: 'ada' },
  ...{
    reason: 'new firmware',
    at: 0,
    endedAt: null,
    within: [],
    planVersion: 1,
    fallback: 'stay',
    helpersAllowed: true,
    scheduling: 'disabled',
  },
  permitted: { start: ok, pause: no, resume: no, stop: no, replan: no },
  ...{ note: null, replanning: null, migrations: [], blockers: [], diffs: [], placement: [], tookMs: 5 },
  estimate: { leftMs: { p50: 120_000, p95: 300_000 }, downtimeMs: 450, causedMs: 60, without: [], calculated: 0 },
  ...over,
})

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
const fields = () => screen.queryAllByRole('textbox').map((field) => field.getAttribute('name') ?? field.id)

describe('the start of a drain', () => {
  it('reuses the reason of the plan without asking again', async () => {
    const { mutations } = show(<RunControls run={run()} />, { 'run.start': { acceptedAt: 0 } })
    await press('Start')
    expect(await screen.findByText('Reason: new firmware')).toBeTruthy()
    expect(fields()).toEqual([])
    await press('Start drain of h-07')
    expect(mutations).toMatchObject([{ path: 'run.start', input: { id: 'r', reason: 'new firmware' } }])
  })

  it('shows the expected time and the total downtime of all instances', async () => {
    show(<RunControls run={run()} />)
    await press('Start')
    expect((await screen.findByText(/^Time: /)).textContent).toBe('Time: about 2 min, p95 5 min.')
    expect(screen.getByText(/^Total downtime/).textContent).toBe('Total downtime of all instances: 450 ms.')
  })
})

describe('the start of an evacuation', () => {
  const view = (fencing: Partial<EvacuationView['fencing']>): EvacuationView => ({
    ...{ host, lastSeenAt: 0, status: 'fenced', contact: null, permit: ok, run: 'r', asks: false, approval: null },
    ...{ stale: [], quarantined: false },
    fencing: {
      ...{ state: 'attested', by: 'ada', at: 0, how: 'by a person', reason: 'pulled the plug' },
      ...{ method: null, permit: ok, asks: false, attempt: null, ...fencing },
    },
  })
  const plan: EvacuationPlan = { guests: [], blockers: [] }

  it('does not ask for name and reason again when the attestation has both', async () => {
    const { mutations } = show(<StartEvacuation view={view({})} plan={plan} underWay={false} />, { 'run.start': {} })
    await press('Start evacuation')
    expect(screen.queryByText(/still answers/)).toBeNull()
    expect(await screen.findByText('Reason: pulled the plug')).toBeTruthy()
    expect(fields()).toEqual([])
    await press('Evacuate h-07')
    expect(mutations).toMatchObject([{ path: 'run.start', input: { id: 'r', reason: 'pulled the plug' } }])
  })

  it('says that a host that was only recorded down still answers, in its dialog and in the one that attests it', async () => {
    const answering = { ...view({ state: 'none', reason: null }), status: 'down', contact: 'answering' } as const
    show(<StartEvacuation view={answering} plan={plan} underWay={false} />)
    await press('Start evacuation')
    expect(await screen.findByText(/still answers: its instances may still run there/)).toBeTruthy()
    cleanup()
    const asked = { action: 'fenced', permit: ok, instances: 1, movesThatGoOn: [], movesTouched: 0 }
    const consequences = { ...asked, needsTypedName: true, needsReason: true, answeredAt: 0 }
    show(<HostActionDialog host={host} action="fenced" onClose={() => {}} />, { 'host.consequences': consequences })
    expect(await screen.findByText(/still answers, so its instances may still run there/)).toBeTruthy()
    expect(screen.getByText(/Berth acts on it at once/)).toBeTruthy()
  })

  it('says before the click that marking a host needs a second person', async () => {
    const asked = { action: 'lost', permit: ok, instances: 1, movesThatGoOn: [], movesTouched: 0, answeredAt: null }
    const consequences = { ...asked, asks: true, needsTypedName: true, needsReason: true }
    show(<HostActionDialog host={host} action="lost" onClose={() => {}} />, { 'host.consequences': consequences })
    expect(await screen.findByText(/Nothing changes until a second person approves it/)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Request approval: mark as permanently lost' })).toBeTruthy()
    expect(screen.queryByText(/at once/)).toBeNull()
  })

  const method = { kind: 'redfish', where: 'https://bmc', deadlineMs: 60_000, verifies: true } as const
  const attempt = (state: 'running' | 'failed'): FencingAttempt => ({
    ...{ id: 'f', method: 'redfish', state, by: 'ada', askedAt: 0, deadlineAt: 1, endedAt: null },
    log: [{ at: 0, says: 'power state On' }],
  })
  const unsure = (over: Partial<EvacuationView['fencing']>) => view({ state: 'none', reason: null, method, ...over })
  const whyNot = (name: string) => screen.queryByRole('button', { name })?.getAttribute('aria-disabled')

  it('waits for the fencing device, which needs the typed name and a reason', async () => {
    const { mutations } = show(
      <>
        <StartEvacuation view={unsure({})} plan={plan} underWay={false} />
        <FencingPanel view={unsure({})} />
      </>,
      { 'host.fence': {} },
    )
    expect(whyNot('Start evacuation')).toBe('true')
    expect(screen.queryByRole('button', { name: 'Mark as fenced…' })).toBeNull()
    await press('Fence h-07')
    const [name, reason] = await screen.findAllByRole('textbox')
    if (name) await userEvent.type(name, 'h-07')
    if (reason) await userEvent.type(reason, 'rack 12 burns')
    await userEvent.click(screen.getAllByRole('button', { name: 'Fence h-07' }).at(-1) ?? document.body)
    expect(mutations).toMatchObject([{ path: 'host.fence', input: { id: 'h', reason: 'rack 12 burns' } }])
  })

  it('offers attestation only after the fencing device has failed, never while it runs', () => {
    show(<FencingPanel view={unsure({ attempt: attempt('running') })} />)
    expect(whyNot('Fence h-07 again')).toBe('true')
    expect(screen.queryByRole('button', { name: 'Mark as fenced…' })).toBeNull()
    cleanup()
    show(<FencingPanel view={unsure({ attempt: attempt('failed') })} />)
    expect(screen.getByRole('button', { name: 'Mark as fenced…' })).toBeTruthy()
    expect(screen.getByRole('region', { name: 'Fencing device' }).textContent).toContain('power state On')
    expect(whyNot('Fence h-07 again')).not.toBe('true')
  })

  it('asks for name and reason once when nothing was attested', async () => {
    show(<StartEvacuation view={view({ state: 'none', reason: null })} plan={plan} underWay={false} />)
    await press('Start evacuation')
    expect(await screen.findByRole('textbox', { name: 'Reason' })).toBeTruthy()
    expect(screen.getByRole('textbox', { name: 'Type h-07 to confirm' })).toBeTruthy()
    expect(fields()).toHaveLength(2)
  })
})

describe('a run page', () => {
  const facts = () => [...screen.getByLabelText('Estimate').children].map(({ textContent }) => textContent)
  const moving = { state: 'planned' } as RunDetail['migrations'][number]

  it.each<[RunState, readonly RegExp[]]>([
    ['draft', [/^Time left.*2 min/, /^Expected downtime, all instances.*450 ms/]],
    ['running', [/^Time left.*2 min/, /^Expected downtime.*450 ms/, /^Downtime so far.*60 ms/]],
    ['done', [/^Downtime so far.*60 ms/]],
  ])('in state %s shows the time left and expected downtime, and the downtime so far', (state, says) => {
    show(<RunEstimate run={run({ state, migrations: [moving] })} />)
    expect(facts()).toEqual(says.map((line) => expect.stringMatching(line)))
  })

  it('of an evacuation shows no downtime, because its instances were down before', () => {
    show(<RunEstimate run={run({ kind: 'evacuation', state: 'running', migrations: [moving] })} />)
    expect(facts()).toEqual([expect.stringMatching(/^Time left.*2 min/)])
  })
})

it('a drain between real hosts says when its time is calculated without a baseline', () => {
  const estimate = { leftMs: { p50: 40_000, p95: 40_000 }, downtimeMs: 300, causedMs: 0, without: [], calculated: 2 }
  const moving = { state: 'planned' } as RunDetail['migrations'][number]
  show(<RunEstimate run={run({ migrations: [moving], estimate })} />)
  expect(screen.getByText('about 40 s, by memory and bandwidth of 2 instances')).toBeTruthy()
})

describe('the end of a drain', () => {
  const answers = (scheduling: HostDetail['scheduling']) => ({
    'host.byId': { ...host, scheduling, permitted: { enable: ok } },
    'host.consequences': {
      ...{ action: 'enable', instances: 0, movesTouched: 0, movesThatGoOn: [], permit: ok },
      ...{ needsTypedName: false, needsReason: false, answeredAt: null },
    },
    'host.setScheduling': { acceptedAt: 0 },
    'session.me': { person: { role: 'operator' } },
  })

  it('offers to return the host to service, and does so', async () => {
    const { mutations } = show(<ReturnToService run={{ host, scheduling: 'disabled' }} />, answers('disabled'))
    await press('Return h-07 to service')
    const dialog = await screen.findByRole('alertdialog', { name: /h-07/ })
    expect(dialog.textContent).not.toMatch(/Reason/)
    const confirm = () => within(dialog).getByRole('button', { name: 'Return h-07 to service' })
    await waitFor(() => expect(confirm().getAttribute('aria-disabled')).toBeNull())
    await userEvent.click(confirm())
    expect(mutations).toMatchObject([{ path: 'host.setScheduling', input: { id: 'h', scheduling: 'enabled' } }])
  })

  it('shows that the host is disabled before its rights are known', () => {
    show(<ReturnToService run={{ host, scheduling: 'disabled' }} />, answers('disabled'))
    expect(screen.getByText('h-07 is still disabled and accepts no new claims.')).toBeTruthy()
  })

  it('offers nothing while the host is enabled', async () => {
    show(<ReturnToService run={{ host, scheduling: 'enabled' }} />, answers('enabled'))
    await Promise.resolve()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

describe('the consequences of forcing a migration', () => {
  const verdicts = ['unsafe', 'unknown', 'impossible', 'attested'] as const satisfies readonly Verdict[]
  const forced = (verdict: Verdict, method: 'pause' | 'post-copy'): MigrationConsequences => ({
    ...{
      requestedAction: 'force-complete',
      permitted: [{ id: 'm', name: 'web-1' }],
      refused: [],
      frees: [],
      keeps: [],
    },
    methods: [{ method, count: 1, pausedMs: method === 'pause' ? 2_000 : null }],
    advice: [{ verdict, because: 'The guest may be lost.', needs: [], count: 1 }],
    ...{ stopsGuests: 1, noWayBack: true, needsReason: true, needsTypedName: false },
  })

  it.each(verdicts.flatMap((verdict) => [[verdict, 'pause'] as const, [verdict, 'post-copy'] as const]))(
    'show the verdict %s of the adviser and the method %s, and call nothing safe',
    (verdict, method) => {
      const { container } = render(<ActionConsequences of={forced(verdict, method)} />)
      expect(container.textContent).toContain(`Method: ${method}`)
      expect(container.textContent).toContain(`Adviser: ${verdict}`)
      expect(container.textContent).toContain('The guest may be lost.')
      expect(container.textContent).toContain('This cannot be undone.')
      expect(container.textContent).not.toMatch(/\bsafe/)
    },
  )
})
