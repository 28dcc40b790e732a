'use client'
import type { PowerResult } from '@/server/api/power/request'
import type { PowerAction } from '@/server/engine/power/request'
import { type BulkResult, BulkResults, showBulkResults } from '../console/list/BulkResults'
import { paths } from '../console/paths'
import { amountsText, refusalTitles } from '../refusal/words'
import { uiWords } from '../ui/words'
import { powerActionWords, powerWords } from './words'

const words = powerWords.results

/** Refused ones first. */
const rowsOf = (results: readonly PowerResult[]): readonly BulkResult[] =>
  results
    .map(({ instance, refusal }) => ({
      ...instance,
      reason: refusal === null ? null : uiWords.both(refusalTitles[refusal.kind], amountsText(refusal)),
    }))
    .sort((a, b) => Number(a.reason === null) - Number(b.reason === null))

const titleOf = (action: PowerAction) => (accepted: number, refused: number) =>
  words.title(powerActionWords[action].verb, accepted, refused)

export const showPowerResults = (action: PowerAction, results: readonly PowerResult[]): void =>
  showBulkResults({ title: titleOf(action), results: rowsOf(results) })

/** Shown if some were refused: each with its reason. */
export function PowerResults(props: {
  readonly action: PowerAction
  readonly results: readonly PowerResult[]
  readonly onClose: () => void
}) {
  const { action, results, onClose } = props
  return (
    <BulkResults
      title={titleOf(action)}
      results={rowsOf(results)}
      href={paths.instance}
      words={words}
      onClose={onClose}
    />
  )
}
