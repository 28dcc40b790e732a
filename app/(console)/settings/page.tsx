import type { Metadata } from 'next'
import { SettingsPage } from '@/components/setting/SettingsPage'
import { settingWords } from '@/components/setting/words'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: settingWords.title }

export default function Page() {
  return (
    <>
      <PageHead title={settingWords.title} facts={settingWords.facts} />
      <SettingsPage />
    </>
  )
}
