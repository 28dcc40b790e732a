// Judging a fleet takes longer than others may wait for the one thread they share. The engine has no clock and knows of no
// others, so what takes long is a generator: it says where it may be put aside, and who runs it decides.

export type InParts<T> = Generator<void, T>

/** All of it at once. */
export function atOnce<T>(parts: InParts<T>): T {
  for (;;) {
    const { done, value } = parts.next()
    if (done) return value
  }
}
