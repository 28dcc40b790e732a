import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { ActionFailure, Loaded } from './Failure'

afterEach(cleanup)

const Part = ({ error }: { error: unknown }) => (
  <Loaded query={{ data: 'known', error, refetch: () => undefined }} what="Hosts">
    {() => <input aria-label="Reason" />}
  </Loaded>
)

it('a field keeps its text when a refetch fails and when a later one succeeds', () => {
  const { rerender } = render(<Part error={null} />)
  const field = screen.getByLabelText<HTMLInputElement>('Reason')
  fireEvent.change(field, { target: { value: 'disk is failing' } })
  for (const error of [new Error('the network is gone'), null]) {
    rerender(<Part error={error} />)
    expect(screen.getByLabelText('Reason')).toBe(field)
  }
  expect(field.value).toBe('disk is failing')
})

it('the page of an object that does not exist leads to its list instead of trying again', () => {
  window.history.pushState(null, '', '/instances/4fa097c4/findings')
  const refusal = { what: 'Open the instance', refusals: [], next: 'Go back to the list.', requestId: 'req-1' }
  const error = { data: { code: 'NOT_FOUND', berth: refusal } }
  render(
    <Loaded page query={{ data: undefined, error, refetch: () => undefined }} what="Instance">
      {() => null}
    </Loaded>,
  )
  expect(screen.getByRole('link', { name: 'Open the list' }).getAttribute('href')).toBe('/instances')
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

it('an action that got no answer does not claim that nothing was changed', () => {
  render(<ActionFailure error={new TypeError('Failed to fetch')} what="Confirm" />)
  const text = screen.getByRole('alert').textContent
  expect(text).toContain('It is unknown whether a change was made.')
  expect(text).not.toContain('Nothing was changed.')
})
