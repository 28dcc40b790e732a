import type { Metadata } from 'next'
import { createLoader, parseAsInteger, parseAsString, parseAsStringLiteral, type SearchParams } from 'nuqs/server'
import { preloadQuery } from '@/components/console/list/preload-first-rows'
import { ExplainPage } from '@/components/explain/ExplainPage'
import { inputOf, questionKeys } from '@/components/explain/question'
import { explainWords } from '@/components/explain/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: explainWords.title }

const readQuestion = createLoader(questionKeys({ parseAsInteger, parseAsString, parseAsStringLiteral }))

export default async function Page({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const input = inputOf(await readQuestion(searchParams))
  if (input) await preloadQuery('explain.get', input)
  return (
    <>
      <PageHead title={explainWords.title} facts={explainWords.facts} />
      <ExplainPage />
    </>
  )
}
