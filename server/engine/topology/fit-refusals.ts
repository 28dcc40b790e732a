import type { Refusal } from '../words/refusal'
import type { FitCase } from './numa'
export function refusalsOf(_fitCase: FitCase, outcome: string): readonly Refusal[] {
  return [{ kind: 'no-joint-fit', where: {}, need: 'a place', have: outcome }]
}
