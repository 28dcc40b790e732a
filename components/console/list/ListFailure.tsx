'use client'
import { Button } from '../../ui/Button'
import { uiWords } from '../../ui/words'
import { Failure } from '../Failure'
import { consoleWords } from '../words'

/** In the place of rows that could not be read. */
export function ListFailure(props: { readonly error: unknown; readonly what: string; readonly retry: () => void }) {
  return (
    <Failure
      error={props.error}
      title={consoleWords.error.query(props.what)}
      action={<Button onPress={props.retry}>{uiWords.tryAgain}</Button>}
    />
  )
}
