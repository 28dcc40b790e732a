import { showToast } from '../ui/overlay/Toasts'
import { errorView, failureFacts } from './Failure'
import { consoleWords } from './words'

/** For an action whose dialog or part of the page is gone when it fails. Loads then. */
export function showLateFailure(error: unknown): void {
  const view = errorView(error)
  const { happened, notChanged, next } = failureFacts(error, true)
  const detail = (
    <>
      {view && view.refusals.length > 0 ? <div>{view.what}</div> : null}
      <div>{happened}</div>
      {notChanged} {next}
    </>
  )
  showToast('bad', consoleWords.error.late, { detail })
}
