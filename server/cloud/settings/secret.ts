import { inspect } from 'node:util'

/** A password, token or key. Nothing that prints, serialises or inspects it shows its value; `reveal` is for the request that needs it. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}
