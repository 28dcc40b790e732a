import type { Metadata } from 'next'
import { LayoutPage } from '@/components/layout/LayoutPage'
import { layoutWords } from '@/components/layout/words'

export const metadata: Metadata = { title: layoutWords.title }

export default function Page() {
  return <LayoutPage />
}
