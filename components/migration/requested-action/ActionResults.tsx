'use client'
import type { MigrationConsequences } from '@/server/api/migration/consequences'
import type { ActionResult } from '@/server/api/migration/requested-action'
import type { RequestedAction } from '@/server/engine/migration/state'
import { type BulkResult, BulkResults, showBulkResults } from '../../console/list/BulkResults'
import { paths } from '../../console/paths'
import { amountsText, refusalTitles } from '../../refusal/words'
import { uiWords } from '../../ui/words'
import { migrationWords, requestedActionWords } from '../words'

const words = migrationWords.results

/** Results by migration, including those not sent because they would refuse. */
export function resultRows(asked: MigrationConsequences, results: readonly ActionResult[]): readonly BulkResult[] {
  const sent = results.map(({ id, acceptedAt, refusal }): BulkResult => {
    const name = asked.permitted.find((migration) => migration.id === id)?.name ?? id
    if (acceptedAt !== null) return { id, name, reason: null }
    return { id, name, reason: refusal ? whyText(refusal) : words.noAnswer }
  })
  const all = [...sent, ...asked.refused.map(({ id, name, why }) => ({ id, name, reason: why }))]
  return all.sort((a, b) => Number(a.reason === null) - Number(b.reason === null) || (a.name < b.name ? -1 : 1))
}

/** The title already names the requested action. */
function whyText(refusal: NonNullable<ActionResult['refusal']>): string {
  return uiWords.both(refusalTitles[refusal.kind], amountsText(refusal))
}

const titleOf = (requestedAction: RequestedAction) => (accepted: number, refused: number) =>
  words.title(requestedActionWords[requestedAction].verb, accepted, refused)

export const showActionResults = (requestedAction: RequestedAction, results: readonly BulkResult[]): void =>
  showBulkResults({ title: titleOf(requestedAction), results })

export function ActionResults({
  requestedAction,
  rows,
  onClose,
}: {
  requestedAction: RequestedAction
  rows: readonly BulkResult[]
  onClose: () => void
}) {
  return (
    <BulkResults
      title={titleOf(requestedAction)}
      results={rows}
      href={paths.migration}
      words={{ ...words, notChanged: words.notChanged[requestedAction] }}
      onClose={onClose}
    />
  )
}
