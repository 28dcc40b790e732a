import type { Metadata } from 'next'
import { AccountPage } from '@/components/account/AccountPage'
import { accountWords as words } from '@/components/account/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: words.title }

export default function Page() {
  return (
    <>
      <PageHead title={words.title} facts={words.facts} />
      <AccountPage />
    </>
  )
}
