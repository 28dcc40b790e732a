'use client'
import { consoleWords } from '@/components/console/words'
import { Button } from '@/components/ui/Button'
import { ErrorState } from '@/components/ui/Message'
import { PageHead } from '@/components/ui/Panel'
import { uiWords } from '@/components/ui/words'

const words = consoleWords.error

/** A page that could not be drawn. The frame around it stays, with the live mark and the moves. */
export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <>
      <PageHead title={words.page} />
      <ErrorState
        facts={{
          title: words.pageTitle,
          happened: error.message || words.internal,
          notChanged: words.nothing,
          next: words.pageNext,
          requestId: error.digest,
        }}
        action={<Button onPress={reset}>{uiWords.tryAgain}</Button>}
      />
    </>
  )
}
