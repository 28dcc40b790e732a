import { expect, it } from 'vitest'
import { taskText } from './words'

const blank = { operation: null, requestedAction: null, to: null } as const

it.each([
  ['Cold migration', { ...blank, action: 'migration.accepted', operation: 'cold-migrate' }],
  ['Abort migration', { ...blank, action: 'migration.action-requested', requestedAction: 'abort' }],
  ['Mark host as fenced', { ...blank, action: 'host.status', to: 'fenced' }],
  ['Stop instance', { ...blank, action: 'instance.power-requested', to: 'stop' }],
  ['Change flavor', { ...blank, action: 'catalog.flavor' }],
  ['Set up two-factor sign-in', { ...blank, action: 'user.two-factor-started' }],
  ['Host example changed', { ...blank, action: 'host.example-changed' }],
  ['Live-migrate instance', { ...blank, action: 'cloud.call', to: 'live-migrate' }],
  ['Force service down', { ...blank, action: 'cloud.call', to: 'force-down' }],
  ['Send call to cloud', { ...blank, action: 'cloud.call' }],
  ['Drain host', { ...blank, action: 'cloud.drain-started' }],
  ['Join shared storage', { ...blank, action: 'host.storage-joined' }],
] as const)('a task has the name %s', (text, of) => expect(taskText(of)).toBe(text))
