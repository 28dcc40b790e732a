// The browser's half of passkeys, from the same library as the server's half. Loads on the first press of the button.

export type DeviceAnswer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly why: string }

/** Browsers create and use a domain's passkeys only on its own pages, and only over https or on localhost. */
export function canUsePasskeys(domain: string): boolean {
  const { hostname } = window.location
  const isIts = hostname === domain || hostname.endsWith(`.${domain}`)
  return isIts && window.isSecureContext && typeof window.PublicKeyCredential === 'function'
}

/** `why`: the message if the device returned nothing, whatever the reason; browsers do not reveal it. */
export async function requestCredential(act: 'register' | 'authenticate', why: string): Promise<DeviceAnswer> {
  try {
    const [{ startRegistration, startAuthentication }, response] = await Promise.all([
      import('@simplewebauthn/browser'),
      fetch(`/api/auth/passkey/generate-${act}-options`, { credentials: 'same-origin' }),
    ])
    if (!response.ok) return { ok: false, why }
    const optionsJSON = await response.json()
    const value =
      act === 'register' ? await startRegistration({ optionsJSON }) : await startAuthentication({ optionsJSON })
    return { ok: true, value }
  } catch {
    return { ok: false, why }
  }
}
