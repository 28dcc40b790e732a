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
} as const
