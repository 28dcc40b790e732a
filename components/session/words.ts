const MINUTE_S = 60

/** As people say it, and never less than it is: who comes back then is let try. */
const waitText = (seconds: number): string =>
  seconds < 2 * MINUTE_S ? `${seconds} s` : `${Math.ceil(seconds / MINUTE_S)} min`

export const sessionWords = {
  title: 'Sign in',
  lead: 'The claims console of this fleet',
  name: 'Username or email',
  password: 'Password',
  submit: 'Sign in',
  firstTime: 'First start? The password of the account “admin” was printed once, where Berth was started.',
  wrong: 'Not signed in: the name or the password is not right.',
  tooMany: (seconds: number) => `Too many tries. Try again in ${waitText(seconds)}.`,
  noAnswer: 'The server did not answer. Nothing was sent twice; try again.',
} as const
