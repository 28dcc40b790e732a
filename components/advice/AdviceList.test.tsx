import { cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { AdviceView } from '@/server/api/advice/router'
import { AdviceList } from './AdviceList'

const host = { id: 'h', name: 'h-07' }
const advice: AdviceView = {
  subject: { kind: 'migration', id: 'm', name: 'web-1' },
  stuck: { why: 'h-07 does not answer', since: 0 },
  actions: [
    {
      action: 'abort',
      verdict: 'impossible',
      because: 'The guest was handed over.',
      proof: [],
      needs: [],
      permit: { ok: false, why: 'the instance has been switched' },
    },
    {
      action: 'mark-fenced',
      verdict: 'unknown',
      because: 'It goes on if nobody runs there.',
      proof: [{ source: 'hypervisor', host, says: 'the host did not answer', at: null }],
      needs: ['a proof that h-07 is off'],
      permit: { ok: true },
    },
    { action: 'wait', verdict: 'safe', because: 'Nothing is lost.', proof: [], needs: [], permit: { ok: true } },
  ],
  facts: [{ source: 'records', host, says: 'lives on h-07', at: 0 }],
}

afterEach(cleanup)

describe('the advice list', () => {
  it('shows safe actions first and each verdict in one word', () => {
    render(<AdviceList advice={advice} control={() => null} />)
    const [list] = screen.getAllByRole('list', { name: 'What is safe to do' })
    if (!list) throw new Error('the list of actions is missing')
    const items = [...list.children].map((item) => item.textContent)
    expect(items[0]).toMatch(/^safeWait/)
    expect(items[1]).toMatch(/^unknownMark host as fenced/)
    expect(items[2]).toMatch(/^impossibleAbort/)
  })

  it('shows the evidence, its age, and the facts that are missing', () => {
    render(<AdviceList advice={advice} control={() => null} />)
    const [proof] = screen.getAllByRole('list', { name: 'Evidence' })
    if (!proof) throw new Error('the proof is missing')
    expect(within(proof).getByText('the host did not answer')).toBeTruthy()
    expect(within(proof).getByText('unknown')).toBeTruthy()
    expect(screen.getByText(/a proof that h-07 is off/)).toBeTruthy()
  })

  it('labels evidence from an operator as attested, whatever the action', () => {
    const says = 'marked as fenced'
    const proof = [{ source: 'person', host, says, at: 0 }] as const
    const action = { action: 'evacuate', verdict: 'attested', because: 'By a word.', proof, needs: [] } as const
    render(<AdviceList advice={{ ...advice, actions: [{ ...action, permit: { ok: true } }] }} control={() => null} />)
    const [list] = screen.getAllByRole('list', { name: 'Evidence' })
    expect(list?.textContent).toMatch(/^attestedh-07marked as fenced/)
    expect(screen.getAllByText('attested').length).toBe(2)
    expect(screen.queryByText(/proven|verified|safe$/)).toBeNull()
  })

  it('says evidence for several actions once, and names it by its number', () => {
    const fact = { source: 'hypervisor', host, says: 'it runs here', at: 0 } as const
    const own = { source: 'records', host, says: 'lives on h-07', at: null } as const
    const actions = advice.actions.map((action, n) => ({ ...action, proof: n === 0 ? [fact, own] : [fact] }))
    render(<AdviceList advice={{ ...advice, facts: [], actions }} control={() => null} />)
    expect(screen.getAllByText('it runs here').length).toBe(1)
    expect(screen.getByRole('list', { name: 'Evidence for several actions' }).textContent).toMatch(/^1hypervisor/)
    expect(screen.getAllByText('Evidence 1').length).toBe(3)
    expect(screen.getByRole('list', { name: 'Evidence' }).textContent).toBe('recordsh-07lives on h-07')
  })

  it('says why the migration is stuck', () => {
    render(<AdviceList advice={advice} control={() => null} />)
    expect(screen.getByText(/h-07 does not answer/).textContent).toMatch(/^Stuck: h-07 does not answer, for .*\d+ \w+$/)
  })

  it('shows no time where none is known', () => {
    const stuck = { why: 'h-07 has never answered', since: null }
    render(<AdviceList advice={{ ...advice, stuck }} control={() => null} />)
    expect(screen.getByText(/h-07 has never answered/).textContent).toBe('Stuck: h-07 has never answered')
  })
})
