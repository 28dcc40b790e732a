import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { RenderFailure } from './RenderFailure'

afterEach(cleanup)

it.each([
  'Failed to load chunk /_next/static/chunks/36xm.js from module 89627',
  'Failed to fetch dynamically imported module: http://berth/_next/static/chunks/36xm.js',
])('code that did not arrive is reloaded, and not named to the operator: %s', (message) => {
  render(<RenderFailure error={new Error(message)} again={() => {}} />)
  expect(screen.getByRole('button', { name: 'Reload page' })).toBeTruthy()
  expect(screen.getByRole('alert').textContent).not.toContain('_next')
})

it('any other failure can be tried again', () => {
  render(<RenderFailure error={new Error('no such column')} again={() => {}} />)
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
})
