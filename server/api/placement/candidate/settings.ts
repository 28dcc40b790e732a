// Settings of the candidate search, with Placement's names and meanings.

export interface CandidateSettings {
  /** True when responses are a random sample of all candidates. */
  readonly randomize: boolean
  /** The first candidate of each tree before the second of any. */
  readonly breadthFirst: boolean
  /** Maximum number of candidates per request, whatever its limit; null: all. */
  readonly maxCandidates: number | null
}

type Env = Readonly<Record<string, string | undefined>>

const STRATEGIES = ['depth-first', 'breadth-first']

/** From BERTH_PLACEMENT_RANDOMIZE, _STRATEGY and _MAX_CANDIDATES. Throws for invalid values. */
export function candidateSettings(env: Env): CandidateSettings {
  const strategy = env.BERTH_PLACEMENT_STRATEGY || 'depth-first'
  if (!STRATEGIES.includes(strategy)) {
    throw new Error(`BERTH_PLACEMENT_STRATEGY must be one of ${STRATEGIES.join(', ')}; it is \`${strategy}\`.`)
  }
  const randomize = env.BERTH_PLACEMENT_RANDOMIZE || 'no'
  if (randomize !== 'yes' && randomize !== 'no') {
    throw new Error(`BERTH_PLACEMENT_RANDOMIZE must be \`yes\` or \`no\`; it is \`${randomize}\`.`)
  }
  const most = env.BERTH_PLACEMENT_MAX_CANDIDATES || '-1'
  if (most !== '-1' && !/^[1-9]\d*$/.test(most)) {
    throw new Error(`BERTH_PLACEMENT_MAX_CANDIDATES must be a whole number above 0, or -1 for all; it is \`${most}\`.`)
  }
  return {
    randomize: randomize === 'yes',
    breadthFirst: strategy === 'breadth-first',
    maxCandidates: most === '-1' ? null : Number(most),
  }
}
