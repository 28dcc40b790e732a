import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { type ExplainParams, questionKeys } from './question'

// The whole request is in the address, so a link repeats it.

const keys = questionKeys({ parseAsInteger, parseAsString, parseAsStringLiteral })

export function useQuestion() {
  const [state, setState] = useQueryStates(keys)
  return { ...state, set: (values: Partial<ExplainParams>) => void setState(values) }
}

export type Question = ReturnType<typeof useQuestion>
