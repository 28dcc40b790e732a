/** Memoizes a function of frozen values, by identity. */
export function memoize<K extends object, V>(judge: (value: K) => V): (value: K) => V {
  const known = new WeakMap<K, { readonly answer: V }>()
  return (value) => {
    const found = known.get(value) ?? { answer: judge(value) }
    known.set(value, found)
    return found.answer
  }
}
