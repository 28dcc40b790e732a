import type { Metadata } from 'next'
import { AlarmPage } from '@/components/alarm/AlarmPage'
import { alarmWords as words } from '@/components/alarm/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: words.title }

export default function Page() {
  return (
    <>
      <PageHead title={words.title} facts={words.facts} />
      <AlarmPage />
    </>
  )
}
