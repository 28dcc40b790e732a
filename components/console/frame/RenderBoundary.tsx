'use client'
import type { ReactNode } from 'react'
import { Boundary } from '../../ui/Boundary'
import { Button } from '../../ui/Button'
import { ErrorState } from '../../ui/Message'
import { uiWords } from '../../ui/words'
import { consoleWords } from '../words'

const words = consoleWords.error

/** What browsers and bundlers say of code that did not arrive. React keeps that failure, so only a reload helps. */
const CODE_MISSING = /load(ing)? chunk|dynamically imported module/i

/** Shown in place of a part that failed to render. */
export function RenderFailure({ error, again }: { error: Error & { digest?: string }; again: () => void }) {
  if (CODE_MISSING.test(error.message)) {
    return (
      <ErrorState
        facts={{ title: words.pageTitle, happened: words.code, notChanged: words.nothing, next: words.codeNext }}
        action={<Button onPress={() => window.location.reload()}>{words.reload}</Button>}
      />
    )
  }
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
