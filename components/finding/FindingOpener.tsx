'use client'
import { parseAsString, useQueryState } from 'nuqs'
import type { FindingRow } from '@/server/api/finding/view'
import { useKey } from '../console/url'
import { RowOpener } from '../ui/table/RowOpener'
import { uiWords } from '../ui/words'
import { kindWords } from './kind/words'
import { findingWords as words } from './words'

/** The open finding, in the address of the page that shows it; Back closes it. */
export function useOpenFinding() {
  return useQueryState(useKey('finding'), parseAsString.withOptions({ history: 'push' }))
}

/** The name of a finding as a link to its evidence. */
export function FindingOpener({ finding }: { finding: Pick<FindingRow, 'id' | 'kind' | 'host' | 'instance'> }) {
  const [, open] = useOpenFinding()
  const on = uiWords.list([finding.instance?.name, finding.host?.name])
  return (
    <RowOpener label={words.evidenceOf(kindWords[finding.kind], on)} onOpen={() => void open(finding.id)}>
      {kindWords[finding.kind]}
    </RowOpener>
  )
}
