import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { consoleWords } from '@/components/console/words'

export const metadata: Metadata = { title: consoleWords.error.notFound }

/** Catches all unknown addresses, so that the not-found page appears inside the console's frame. */
export default function Page(): never {
  notFound()
}
