import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { MigrationRulesView } from '@/server/api/setting/router'
import type { MigrationRules } from '@/server/engine/migration/rules'
import { parseInteger } from './IntegerField'
import { RulesSection } from './RulesSection'
import { lastOf, RULE_SECTIONS } from './sections'

afterEach(cleanup)

const DEFAULTS: MigrationRules = {
  policy: 'spread',
  limits: { perSource: 2, perTarget: 2, fleet: 64 },
  confirmWindowMs: null,
  secondPerson: [],
  foreignInstances: 'refuse',
}
const rulesWith = (part: Partial<MigrationRulesView> = {}): MigrationRulesView => ({
  ...DEFAULTS,
  defaults: DEFAULTS,
  bounds: { perHost: 100, fleet: 10_000, confirmWindowMs: { least: 60_000, most: 3_600_000 } },
  changed: { policy: null, limits: null, confirmWindowMs: null, secondPerson: null, foreignInstances: null },
  permit: { ok: true },
  ...part,
})
const queries = new QueryClient()
const sectionOf = (id: string, rules = rulesWith()) => (
  <QueryClientProvider client={queries}>
    <RulesSection section={RULE_SECTIONS.find((each) => each.id === id)!} rules={rules} />
  </QueryClientProvider>
)
const fleet = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'In the whole fleet' })
const type = (text: string) => fireEvent.change(fleet(), { target: { value: text } })
const button = (name: string) => screen.queryByRole('button', { name })

it('every rule belongs to exactly one section', () => {
  const all = RULE_SECTIONS.flatMap(({ rules }) => rules)
  expect(all.toSorted()).toEqual((Object.keys(DEFAULTS) as (keyof MigrationRules)[]).toSorted())
})

it.each([
  ['12', 12],
  [' 7 ', 7],
  ['1', 1],
  ['100', 100],
  ['0', null],
  ['101', null],
  ['', null],
  ['1.5', null],
  ['-3', null],
  ['1e2', null],
])('%j is read as %j of 1 to 100', (text, value) => {
  expect(parseInteger(text, 1, 100)).toBe(value)
})

it('the review is empty until a value differs, and again after it is restored', () => {
  render(sectionOf('limits'))
  expect(button('Review change')).toBeNull()
  type('96')
  expect(button('Review change')).not.toBeNull()
  type('64')
  expect(button('Review change')).toBeNull()
})

it('an invalid value stays as typed, shows its error in place, and cannot be reviewed', () => {
  render(sectionOf('limits'))
  type('many')
  expect(screen.getByText('Enter a whole number from 1 to 10000.')).toBeTruthy()
  expect(fleet().value).toBe('many')
  expect(button('Review change')?.getAttribute('aria-disabled')).toBe('true')
  act(() => button('Discard')?.click())
  expect(fleet().value).toBe('64')
})

it('a rule shows who changed it last, and its default', () => {
  const changed = { ...rulesWith().changed, limits: { by: 'olga', at: 1_000 } }
  render(sectionOf('limits', rulesWith({ changed })))
  expect(screen.getByText(/Last changed by olga/)).toBeTruthy()
  expect(screen.getByText('Default: 2 out of a host, 2 into a host, 64 in all')).toBeTruthy()
  cleanup()
  render(sectionOf('scheduling', rulesWith({ changed })))
  expect(screen.getByText('Never changed: the default applies.')).toBeTruthy()
})

it('a change by another user shows at once, or as a notice while the field is being edited', () => {
  const view = render(sectionOf('limits'))
  const changedTo = (value: number, at: number) =>
    rulesWith({
      limits: { ...DEFAULTS.limits, fleet: value },
      changed: { ...rulesWith().changed, limits: { by: 'olga', at } },
    })
  view.rerender(sectionOf('limits', changedTo(10, 1_000)))
  expect(fleet().value).toBe('10')
  type('20')
  view.rerender(sectionOf('limits', changedTo(30, 2_000)))
  expect(fleet().value).toBe('20')
  expect(screen.getByText(/olga changed this while you were editing/)).toBeTruthy()
  act(() => button('Discard')?.click())
  expect(fleet().value).toBe('30')
})

it('a user without permission sees the rules read-only, with the reason', () => {
  render(sectionOf('scheduling', rulesWith({ permit: { ok: false, why: 'needs the role admin' } })))
  expect(screen.getByText('You cannot change this: needs the role admin')).toBeTruthy()
  expect(screen.getByRole('radio', { name: /Spread/ }).closest('fieldset')?.disabled).toBe(true)
})

it('the latest change to any rule is shown', () => {
  const changed = { ...rulesWith().changed, policy: { by: 'a', at: 5 }, limits: { by: 'b', at: 9 } }
  expect(lastOf(rulesWith({ changed }), ['policy', 'limits'])).toEqual({ by: 'b', at: 9 })
})

it.each([[[]], [['fenced', 'heal']]] as const)('two-person approval for %j names what needs none', (secondPerson) => {
  render(sectionOf('approval', rulesWith({ secondPerson })))
  expect(screen.getByText(/Automatic repairs need no approval/)).toBeTruthy()
  // The setting has covered them since it has an action for Nova.
  expect(screen.queryByText(/clouds need no approval/)).toBeNull()
  expect(screen.queryByText(/no action needs a second person/)).toBeNull()
})
