// The browser's half of passkeys, by the same library as the server's half. It is loaded when the button is pressed.

export type DeviceAnswer = { readonly ok: true; readonly said: unknown } | { readonly ok: false; readonly why: string }

/** Browsers make and use passkeys of a domain only on its own pages, and only over https or on the machine itself. */
export function canUsePasskeys(domain: string): boolean {
  const { hostname } = window.location
  const isIts = hostname === domain || hostname.endsWith(`.${domain}`)
  return isIts && window.isSecureContext && typeof window.PublicKeyCredential === 'function'
}

/** `why`: the sentence for a device that gave nothing, whatever the reason; browsers keep it to themselves. */
export async function askDevice(act: 'register' | 'authenticate', why: string): Promise<DeviceAnswer> {
  try {
    const [{ startRegistration, startAuthentication }, response] = await Promise.all([
      import('@simplewebauthn/browser'),
      fetch(`/api/auth/passkey/generate-${act}-options`, { credentials: 'same-origin' }),
    ])
    if (!response.ok) return { ok: false, why }
    const optionsJSON = await response.json()
    const said =
      act === 'register' ? await startRegistration({ optionsJSON }) : await startAuthentication({ optionsJSON })
    return { ok: true, said }
  } catch {
    return { ok: false, why }
  }
}
