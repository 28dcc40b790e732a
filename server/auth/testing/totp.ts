import { createOTP } from '@better-auth/utils/otp'

/** The code that an authenticator app shows now, from the URI of its secret. */
export const codeOf = (uri: unknown) => {
  const secret = new URL(String(uri)).searchParams.get('secret') ?? ''
  return createOTP(Buffer.from(base32(secret)).toString()).totp()
}

export function base32(text: string): Uint8Array {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text.replaceAll('=', '')].map((each) => letters.indexOf(each).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
