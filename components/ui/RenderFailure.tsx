'use client'
import type { ReactNode } from 'react'
import { Boundary } from './Boundary'
import { Button } from './Button'
import { ErrorState } from './Message'
import { uiWords } from './words'

const words = uiWords.renderFailure

/** What browsers and bundlers say of code that did not arrive. React keeps that failure, so only a reload helps. */
const CODE_MISSING = /load(ing)? chunk|dynamically imported module/i

interface RenderFailureProps {
  readonly error: Error & { digest?: string }
  readonly again: () => void
  /** If omitted, the page failed. */
  readonly title?: string
  /** For a part that can be closed. */
  readonly onClose?: () => void
}

/** Shown in place of a part that failed to render. */
export function RenderFailure({ error, again, title = words.page, onClose }: RenderFailureProps) {
  const isMissing = CODE_MISSING.test(error.message)
  return (
    <ErrorState
      facts={{
        title,
        happened: isMissing ? words.code : error.message || words.internal,
        notChanged: words.nothing,
        next: isMissing ? words.codeNext : words.next,
        requestId: error.digest,
      }}
      action={
        <span className="flex gap-2">
          <Button onPress={isMissing ? () => window.location.reload() : again}>
            {isMissing ? words.reload : uiWords.tryAgain}
          </Button>
          {onClose ? <Button onPress={onClose}>{uiWords.close}</Button> : null}
        </span>
      }
    />
  )
}

/** For parts outside any page, such as a drawer: if one fails to render, the page below it stays. */
export const RenderBoundary = ({ children }: { children: ReactNode }) => (
  <Boundary fallback={(error, again) => <RenderFailure error={error} again={again} />}>{children}</Boundary>
)
