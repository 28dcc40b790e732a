// A user as an identity provider reports it.

export interface Identity {
  readonly provider: 'oidc' | 'keystone'
  /** The provider's permanent id of this user; the name may change. */
  readonly subject: string
  readonly username: string
  readonly name: string
  readonly email: string | null
  /** For Keystone, the roles in its scope. */
  readonly groups: readonly string[]
}

/** Why a sign-in was refused, as the parameter `problem` of the sign-in page. */
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
