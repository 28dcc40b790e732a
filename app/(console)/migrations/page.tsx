import type { Metadata } from 'next'
import { MigrationLists } from '@/components/migration/MigrationLists'
import { migrationWords } from '@/components/migration/words'
import { PastButton } from '@/components/past/PastButton'
import { PastOrPresent } from '@/components/past/PastOrPresent'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: migrationWords.title }

export default function Page() {
  return (
    <>
      <PageHead title={migrationWords.title} actions={<PastButton />} />
      <PastOrPresent of="migrations">
        <MigrationLists />
      </PastOrPresent>
    </>
  )
}
