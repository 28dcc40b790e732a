import type { Metadata } from 'next'
import { ExplainPage } from '@/components/explain/ExplainPage'
import { explainWords } from '@/components/explain/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: explainWords.title }

export default function Page() {
  return (
    <>
      <PageHead title={explainWords.title} facts={explainWords.facts} />
      <ExplainPage />
    </>
  )
}
