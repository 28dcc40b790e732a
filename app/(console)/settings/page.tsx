import type { Metadata } from 'next'
import { paths } from '@/components/console/paths'
import { SettingsPage } from '@/components/setting/SettingsPage'
import { settingWords } from '@/components/setting/words'
import { ButtonLink } from '@/components/ui/Link'
import { PageHead } from '@/components/ui/Panel'

export const metadata: Metadata = { title: settingWords.title }

export default function Page() {
  return (
    <>
      <PageHead
        title={settingWords.title}
        facts={settingWords.facts}
        actions={<ButtonLink href={paths.tasks({ q: 'task:setting.*' })}>{settingWords.history}</ButtonLink>}
      />
      <SettingsPage />
    </>
  )
}
