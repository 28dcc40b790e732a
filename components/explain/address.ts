import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { type Asking, questionKeys } from './question'

// The whole request is in the address, so a link repeats it.

const keys = questionKeys({ parseAsInteger, parseAsString, parseAsStringLiteral })

export function useQuestion() {
  const [state, setState] = useQueryStates(keys)
  return { ...state, set: (values: Partial<Asking>) => void setState(values) }
}

export type Question = ReturnType<typeof useQuestion>
