import { COMMON_WORDS } from './common-words'

// Whether a password is easy to guess. Length alone is no measure: "password1234" and "aaaaaaaaaaaa" are long. Enough
// characters must remain beside repetitions, keyboard runs and common words.

/** Characters that cannot be guessed from the ones before them. */
const SURPRISES_MIN = 6
const DISTINCT_MIN = 5
const WORD_MIN = 4
/** A common word takes about as many guesses as one or two characters. */
const WORD_COST = 1.5
const RUNS = [
  ...['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm', 'qwertzuiop', 'azertyuiop'],
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm', '!@#$%^&*()', '1q2w3e4r5t6y7u8i9o0p'],
].flatMap((run) => [run, [...run].reverse().join('')])
const LOOKALIKES: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's', '!': 'i', '+': 't' },
}

/** Why it is weak, as the end of a sentence; null if it is not. `known`: words that belong to the person. */
export function passwordWeakness(password: string, known: readonly string[] = []): string | null {
  const text = password.toLowerCase()
  if (new Set(text).size < DISTINCT_MIN) return 'it has too few different characters'
  if (repeated(text)) return 'it repeats itself'
  const words = [...known, 'berth'].map((word) => word.toLowerCase()).filter((word) => word.length >= WORD_MIN)
  const surprises = Math.min(...[text, plain(text)].map((each) => surprisesIn(each, words)))
  return surprises < SURPRISES_MIN ? 'it is easy to guess' : null
}

const plain = (text: string) => [...text].map((each) => LOOKALIKES[each] ?? each).join('')

/** Repetitions of one part, the last of them possibly cut off. */
function repeated(text: string): boolean {
  for (let size = 1; size <= text.length / 2; size++) {
    const part = text.slice(0, size)
    if (part.repeat(Math.ceil(text.length / size)).slice(0, text.length) === text) return true
  }
  return false
}

/** The lowest cost at which characters and common words make up the text. */
function surprisesIn(text: string, words: readonly string[]): number {
  const least = [0]
  for (let end = 1; end <= text.length; end++) {
    let best = (least[end - 1] ?? 0) + (text[end - 1] === text[end - 2] ? 0 : 1)
    for (let start = 0; start <= end - 3; start++) {
      const part = text.slice(start, end)
      if (isCommon(part, words)) best = Math.min(best, (least[start] ?? 0) + WORD_COST)
    }
    least.push(best)
  }
  return least[text.length] ?? 0
}

function isCommon(part: string, words: readonly string[]): boolean {
  if (RUNS.some((run) => run.includes(part))) return true
  if (/^(19|20)\d\d$/.test(part)) return true
  return part.length >= WORD_MIN && (COMMON_WORDS.has(part) || words.includes(part))
}
