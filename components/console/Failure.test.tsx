import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Loaded } from './Failure'

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
