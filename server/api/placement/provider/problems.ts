import { notFound, type Problem } from '../problem'

// Problems with a provider that several endpoints report.

export const noProvider = (uuid: string): Problem => notFound(`No resource provider with uuid ${uuid} found`)

export const GENERATION_CHANGED =
  "Resource provider's generation already changed. Please update the generation and try again."

/** The original's message when another write interferes between its own two steps. */
export const CONCURRENT = 'Another thread concurrently updated the resource provider data. Please retry your update'
