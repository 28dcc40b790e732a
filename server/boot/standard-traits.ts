import fs from 'node:fs'
import path from 'node:path'
import type pg from 'pg'

const SHIPPED = path.join(import.meta.dirname, '../../prisma/standard-names/traits.txt')
const TRAIT_NAME = /^[A-Z0-9_]{1,255}$/ // Placement's own rule for trait names
const CUSTOM = 'CUSTOM_'

/**
 * Adds the standard traits that the database lacks: those that Berth ships, and those of `BERTH_STANDARD_TRAITS`, a
 * newer list without a newer Berth. Throws on a line that is no trait name, before adding anything.
 */
export async function addStandardTraits(client: pg.Client, ownFile: string | undefined): Promise<void> {
  const names = [...readTraits(SHIPPED), ...(ownFile ? readTraits(ownFile) : [])]
  await client.query('insert into trait (name) select unnest($1::text[]) on conflict do nothing', [names])
}

/** One name per line; skips empty lines and those that begin with `#`. */
export function readTraits(file: string): readonly string[] {
  const lines = fs.readFileSync(file, 'utf8').split(/\r?\n/)
  return lines.flatMap((line, at) => {
    const name = line.trim()
    if (name === '' || name.startsWith('#')) return []
    if (!TRAIT_NAME.test(name) || name.startsWith(CUSTOM)) {
      throw new Error(
        `${file}, line ${at + 1}: “${name}” is no standard trait. Use A-Z, 0-9 and _, at most 255 characters, without ` +
          `the prefix ${CUSTOM}. No trait was added.`,
      )
    }
    return [name]
  })
}
