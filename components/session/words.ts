const MINUTE_S = 60

/** Rounded up, so that the next attempt after this time is allowed. */
const waitText = (seconds: number): string =>
  seconds < 2 * MINUTE_S ? `${seconds} s` : `${Math.ceil(seconds / MINUTE_S)} min`

export const sessionWords = {
  title: 'Sign in',
  lead: 'Claims and migrations of this fleet',
  name: 'Username or email',
  password: 'Password',
  submit: 'Sign in',
  firstTime:
    'First start? Berth printed the password of the account “admin” once, in the terminal where it was started.',
  wrong: 'Wrong username or password.',
  tooMany: (seconds: number) => `Too many attempts. Try again in ${waitText(seconds)}.`,
  noAnswer: 'The server did not answer. Try again.',
  signInWith: (name: string) => `Sign in with ${name}`,
  withPassword: 'Sign in with a Berth password',
  withPasskey: 'Sign in with a passkey',
  wrongPasskey: 'Berth does not know this passkey. Sign in with your password.',
  noPasskey: 'No passkey was used: it was cancelled, took too long, or this device has none for Berth.',
  openStackUser: 'OpenStack user',
  domain: 'Domain',
  code: 'Code',
  codeHelp: 'Six digits from your authenticator app, or one of your backup codes.',
  wrongCode: 'Wrong code. Enter the code that the app shows now.',
} as const

/** By the server's error code. */
export const refusedWords: Readonly<Record<string, string>> = {
  'no-role': 'Your account has no role in Berth. Ask an admin which group gives access.',
  'name-taken': 'Another user in Berth has your username or email. Ask an admin to remove or rename that user.',
  provider: 'The identity provider refused the sign-in or did not answer. Try again.',
  expired: 'The sign-in took too long, or was started in another browser. Start again.',
  wrong: 'Wrong username, domain or password.',
  USER_NOT_VERIFIED: 'The device did not ask who you are. Use one that asks for a finger, a face or a PIN.',
  USED_CODE: 'This code was used already. Wait for the next one.',
  PASSWORD_CHANGED: 'Your password changed during this sign-in. Sign in again.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many wrong codes. Reload the page and start again.',
  INVALID_TWO_FACTOR_COOKIE: 'The sign-in took too long. Reload the page and start again.',
}
