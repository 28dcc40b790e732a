import type { Database } from '../database/database'

/**
 * The secret that signs session cookies. Stores `fresh` when there is none yet; otherwise returns the stored one, so
 * that all servers on one database agree and a restart signs nobody out.
 */
export async function ensureSigningSecret({ prisma }: Database, fresh: string): Promise<string> {
  await prisma.$executeRaw`insert into auth_secret (id, value) values (1, ${fresh}) on conflict (id) do nothing`
  const row = await prisma.authSecret.findUniqueOrThrow({ where: { id: 1 } })
  return row.value
}
