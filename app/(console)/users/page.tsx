import type { Metadata } from 'next'
import { PageHead } from '@/components/ui/Panel'
import { AccessPage } from '@/components/user/AccessPage'
import { accessWords as words } from '@/components/user/words'

export const metadata: Metadata = { title: words.title }

export default function Page() {
  return (
    <>
      <PageHead title={words.title} facts={words.facts} />
      <AccessPage />
    </>
  )
}
