import type { Metadata } from 'next'
import { TreesPage } from '@/components/provider/TreesPage'
import { providerWords } from '@/components/provider/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: providerWords.title }

export default function Page() {
  return (
    <>
      <PageHead title={providerWords.title} facts={providerWords.facts} />
      <TreesPage />
    </>
  )
}
