// What an identity provider says of a user.

export interface Identity {
  readonly provider: 'oidc' | 'keystone'
  /** What they call this person for ever, whatever the name is. */
  readonly subject: string
  readonly username: string
  readonly name: string
  readonly email: string | null
  /** Of Keystone, the roles in its scope. */
  readonly groups: readonly string[]
}

/** Why somebody was not let in, in the words of the address that the sign-in page is opened with. */
export type Refusal = 'no-role' | 'name-taken' | 'wrong' | 'provider' | 'expired'

/** `detail` is for the log. */
export class SignInRefused extends Error {
  constructor(
    readonly why: Refusal,
    detail: string,
    options?: ErrorOptions,
  ) {
    super(detail, options)
  }
}
