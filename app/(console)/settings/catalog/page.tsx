import type { Metadata } from 'next'
import { CatalogPage } from '@/components/catalog/CatalogPage'
import { catalogWords } from '@/components/catalog/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: catalogWords.title }

export default function Page() {
  return (
    <>
      <PageHead title={catalogWords.title} facts={catalogWords.facts} />
      <CatalogPage />
    </>
  )
}
