import type { TRPCLink } from '@trpc/client'
import { observable } from '@trpc/server/observable'
import type { AppRouter } from '@/server/api/router'

// What a page asks first is asked by the server while it makes the page: by the time the page's code runs, the answer is
// under way. The first question that is the same takes it; everything later is asked as usual.

export interface AskedAhead {
  readonly path: string
  readonly input: unknown
  /** Null when it could not be answered: then it is asked again, and whoever asks hears why. */
  readonly answer: PromiseLike<{ readonly data: unknown } | null>
}

/** The code of a page runs well before; an answer that nobody has taken by then is old. */
const KEPT_MS = 10_000

const answers = new Map<string, Promise<{ readonly data: unknown } | null>>()

const keyOf = (path: string, input: unknown) => `${path} ${JSON.stringify(input ?? null)}`

export function keepAhead({ path, input, answer }: AskedAhead): void {
  const key = keyOf(path, input)
  // What React hands on can be waited for and nothing else; a promise of our own can do the rest.
  const own = Promise.resolve(answer).catch(() => null)
  answers.set(key, own)
  setTimeout(() => answers.get(key) === own && answers.delete(key), KEPT_MS)
}

export const aheadLink: TRPCLink<AppRouter> = () => {
  return ({ next, op }) => {
    const key = keyOf(op.path, op.input)
    const answer = answers.get(key)
    if (op.type !== 'query' || !answer) return next(op)
    answers.delete(key)
    return observable((observer) => {
      let asked = { unsubscribe: () => {} }
      let left = false
      void answer.then((known) => {
        if (left) return
        if (known === null) {
          asked = next(op).subscribe(observer)
          return
        }
        observer.next({ result: { type: 'data', data: known.data } })
        observer.complete()
      })
      return () => {
        left = true
        asked.unsubscribe()
      }
    })
  }
}
