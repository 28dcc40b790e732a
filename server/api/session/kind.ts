import { PASSWORD_ACCOUNT } from '../../store/user/password'
import type { UserRow } from '../../store/user/user'

/** `password` is Berth's own; the others are identity providers. */
const SIGN_IN_KINDS = ['password', 'oidc', 'keystone'] as const
export type SignInKind = (typeof SIGN_IN_KINDS)[number]

export function signInKindOf({ accounts }: Pick<UserRow, 'accounts'>): SignInKind {
  if (accounts.some(({ providerId }) => providerId === PASSWORD_ACCOUNT)) return 'password'
  return SIGN_IN_KINDS.find((kind) => accounts.some(({ providerId }) => providerId === kind)) ?? 'password'
}
