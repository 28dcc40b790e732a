import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { consoleWords } from '@/components/console/words'

export const metadata: Metadata = { title: consoleWords.error.notFound }

/** Every address that no page has, so that the console's own frame answers and not a page without one. */
export default function Page(): never {
  notFound()
}
