import type { Metadata } from 'next'
import { AddCloudButton, AddCloudDrawer } from '@/components/cloud/AddCloudButton'
import { CloudTable } from '@/components/cloud/CloudTable'
import { cloudWords } from '@/components/cloud/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: cloudWords.title }

export default function Page() {
  return (
    <>
      <PageHead title={cloudWords.title} facts={cloudWords.facts} actions={<AddCloudButton />} />
      <CloudTable />
      <AddCloudDrawer />
    </>
  )
}
