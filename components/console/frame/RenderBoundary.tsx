'use client'
import type { ReactNode } from 'react'
import { Boundary } from '../../ui/Boundary'
import { Button } from '../../ui/Button'
import { ErrorState } from '../../ui/Message'
import { uiWords } from '../../ui/words'
import { consoleWords } from '../words'

const words = consoleWords.error

/** Shown in place of a part that failed to render. */
export function RenderFailure({ error, again }: { error: Error & { digest?: string }; again: () => void }) {
  return (
    <ErrorState
      facts={{
        title: words.pageTitle,
        happened: error.message || words.internal,
        notChanged: words.nothing,
        next: words.pageNext,
        requestId: error.digest,
      }}
      action={<Button onPress={again}>{uiWords.tryAgain}</Button>}
    />
  )
}

/** For parts outside any page, such as a drawer: if one fails to render, the page below it stays. */
export const RenderBoundary = ({ children }: { children: ReactNode }) => (
  <Boundary fallback={(error, again) => <RenderFailure error={error} again={again} />}>{children}</Boundary>
)
