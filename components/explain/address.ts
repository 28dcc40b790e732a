import { useQueryStates } from 'nuqs'
import { type Asked, QUESTION } from './question'

export { inputOf } from './question'

export function useQuestion() {
  const [state, setState] = useQueryStates(QUESTION)
  return { ...state, set: (values: Partial<Asked>) => void setState(values) }
}

export type Question = ReturnType<typeof useQuestion>
