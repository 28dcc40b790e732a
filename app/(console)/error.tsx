'use client'
import { consoleWords } from '@/components/console/words'
import { PageHead } from '@/components/ui/Panel'
import { RenderFailure } from '@/components/ui/RenderFailure'

/** A page that failed to render. The frame around it stays, with the live mark and the migrations. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <>
      <PageHead title={consoleWords.error.page} />
      <RenderFailure error={error} again={reset} />
    </>
  )
}
