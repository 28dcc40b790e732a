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
  ['Host storage joined', { ...blank, action: 'host.storage-joined' }],
] as const)('a task has the name %s', (text, of) => expect(taskText(of)).toBe(text))
