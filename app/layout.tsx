import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from '@/components/console/frame/Providers'
import { parseTheme, THEME_COOKIE } from '@/components/console/frame/theme'
import { parseZone, ZONE_COOKIE } from '@/components/ui/time/zone-cookie'
import { nonceIn } from '@/server/api/http/security-headers'
import '@fontsource-variable/inter/wght.css'
import '@fontsource-variable/jetbrains-mono/wght.css'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'Berth', template: '%s · Berth' },
  manifest: '/manifest.webmanifest',
  icons: {
    icon: [
      { url: '/favicon.ico', sizes: '48x48' },
      { url: '/icon.svg', type: 'image/svg+xml' },
    ],
    apple: '/apple-touch-icon.png',
  },
}

/** `--canvas` of globals.css, in a form that the chrome of every browser supports. */
export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f4f6f8' },
    { media: '(prefers-color-scheme: dark)', color: '#0d1015' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const chosen = await cookies()
  const theme = parseTheme(chosen.get(THEME_COOKIE)?.value)
  const nonce = nonceIn((await headers()).get('content-security-policy'))
  const zone = parseZone(chosen.get(ZONE_COOKIE)?.value)
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme}>
      <head>
        {/* React Aria puts it on the styles that it adds. */}
        <meta property="csp-nonce" nonce={nonce} />
      </head>
      <body>
        <Providers theme={theme} zone={zone}>
          {children}
        </Providers>
      </body>
    </html>
  )
}
