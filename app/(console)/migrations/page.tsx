import type { Metadata } from 'next'
import { MigrationLists } from '@/components/migration/MigrationLists'
import { migrationWords } from '@/components/migration/words'
import { PastButton } from '@/components/past/PastButton'
import { PastOr } from '@/components/past/PastOr'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: migrationWords.title }

export default function Page() {
  return (
    <>
      <PageHead title={migrationWords.title} actions={<PastButton />} />
      <PastOr of="moves">
        <MigrationLists />
      </PastOr>
    </>
  )
}
