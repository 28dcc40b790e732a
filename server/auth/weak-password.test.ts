import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COMMON_WORDS } from './common-words'
import { passwordWeakness } from './weak-password'

describe('a password', () => {
  test.each([
    ...[
      'password1234',
      'Password123!',
      'P@ssw0rd2026',
      'passwordpassword',
      'qwertyuiop123',
      'abcdefghijkl',
      '123456789012',
    ],
    ...[
      'aaaaaaaaaaaa',
      'abababababab',
      'abcabcabcabcab',
      '1q2w3e4r5t6y',
      'Summer2026!!!',
      'administrator',
      'letmein12345',
    ],
    ...['welcome-admin', 'Berth2026berth', 'openstack2026!', 'iloveyou1234', 'changeme!!!!', '!@#$%^&*()12'],
  ])('%s is refused', (password) => expect(passwordWeakness(password)).not.toBeNull())

  test.each([
    ...[
      'a password for tests',
      'opens-the-e2e-fleet',
      'vera-only-looks',
      'correct horse battery',
      'kq7-mmx2-ppz9',
      'ta&8sd!lqWz4',
    ],
    ...['nobody guesses this one', 'schöne-grüße-vom-see'],
  ])('%s is accepted', (password) => expect(passwordWeakness(password)).toBeNull())

  test('is refused when it is the name of its owner and a year', () => {
    expect(passwordWeakness('katharina2026')).toBeNull()
    expect(passwordWeakness('katharina2026', ['Katharina'])).not.toBeNull()
  })

  test('is refused when it is two common words in any spelling', () => {
    const word = fc.constantFrom(...[...COMMON_WORDS].filter((each) => each.length >= 6))
    const written = fc.constantFrom(
      (text: string) => text,
      (text: string) => text.toUpperCase(),
      leet,
    )
    fc.assert(
      fc.property(word, word, written, fc.constantFrom('', '1', '!', '12'), (one, two, write, end) => {
        expect(passwordWeakness(write(one + two) + end)).not.toBeNull()
      }),
    )
  })

  test('of twelve random characters is accepted', () => {
    const random = fc.stringMatching(/^[a-z0-9]{12}$/).filter((text) => new Set(text).size >= 9)
    const taken = fc.sample(random, { numRuns: 300, seed: 7 }).filter((text) => passwordWeakness(text) === null)
    expect(taken.length).toBeGreaterThan(290)
  })
})

const leet = (text: string) => text.replaceAll('a', '@').replaceAll('o', '0').replaceAll('e', '3').replaceAll('s', '$')
