import type { Metadata } from 'next'
import type { SearchParams } from 'nuqs/server'
import { AskedAhead } from '@/app/asked-ahead'
import { ExplainPage } from '@/components/explain/ExplainPage'
import { inputOf, loadQuestion } from '@/components/explain/question'
import { explainWords } from '@/components/explain/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: explainWords.title }

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const input = inputOf(await loadQuestion(searchParams))
  return (
    <>
      {input ? <AskedAhead path="why.ask" input={input} /> : null}
      <PageHead title={explainWords.title} facts={explainWords.facts} />
      <ExplainPage />
    </>
  )
}
