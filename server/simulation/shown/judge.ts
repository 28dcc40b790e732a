import type { Database } from '../../store/database/database'

// What no text shown to a user may contain: the id of an object that has a name, or two sentences joined badly.

/** Id → name shown to users. A migration is named by its instance. */
export type NamesById = ReadonlyMap<string, string>

export async function namedThings({ pool }: Database): Promise<NamesById> {
  const { rows } = await pool.query<{ id: string; name: string }>(
    `select id::text, name from host union all select id::text, name from instance
     union all select id::text, name from resource_provider where name is not null
     union all select m.id::text, 'migration of ' || i.name from migration m join instance i on i.id = m.instance_id`,
  )
  return new Map(rows.map(({ id, name }) => [id, name]))
}

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
const SHORT_ID = /\b[0-9a-f]{8}\b/g
const SHORT = 8
/** A time in seconds that should be in minutes. */
const LONG_SECONDS = /\b(?!1[01]\d s)\d{3,} s\b/
/** Two full stops, a stop next to other punctuation, a sentence that starts with a stop, an unformatted value. */
const BADLY_JOINED = /(?<!\.)\.\.(?!\.)|\.[,;:]|\.\)\.|[:;,]\.|(?:^|\s)\.(?:\s|$)|\b(?:undefined|NaN|null\.)|\[object /
/** Fields whose text is shown on a screen, however short it is. */
const READ = new Set(['name', 'what', 'why', 'where', 'need', 'have', 'because', 'title', 'message', 'says', 'next'])
/** Text with spaces is shown to users; addresses, keys and versions have none. Ids may be made of several parts. */
const isText = (text: string, key: string): boolean =>
  READ.has(key) || (key !== 'id' && /\s/.test(text) && !/^[[{]/.test(text))

export interface Fault {
  readonly at: string
  readonly text: string
  readonly why: string
}

/** Every text in a response that breaks a rule, with its path. */
export function faultsIn(answer: unknown, named: NamesById): readonly Fault[] {
  const byShort = new Map([...named].map(([id, name]) => [id.slice(0, SHORT), name]))
  const faults: Fault[] = []
  const visit = (value: unknown, at: string, key: string): void => {
    if (typeof value === 'string') {
      for (const why of isText(value, key) ? wrongWith(value, { named, byShort }) : [])
        faults.push({ at, text: value, why })
    } else if (Array.isArray(value)) for (const each of value) visit(each, `${at}[]`, key)
    else if (value !== null && typeof value === 'object')
      for (const [name, each] of Object.entries(value)) visit(each, `${at}.${name}`, name)
  }
  visit(answer, '', '')
  return faults
}

interface NameIndex {
  readonly named: NamesById
  readonly byShort: ReadonlyMap<string, string>
}

function wrongWith(text: string, { named, byShort }: NameIndex): readonly string[] {
  const whole = (text.match(ID) ?? []).filter((id) => named.has(id)).map((id) => `the id of ${named.get(id)}`)
  const short = (text.replace(ID, '').match(SHORT_ID) ?? []).filter((id) => byShort.has(id))
  return [
    ...whole,
    ...short.map((id) => `the start of the id of ${byShort.get(id)}`),
    ...(BADLY_JOINED.test(text) ? ['badly joined sentences'] : []),
    ...(LONG_SECONDS.test(text) ? ['a time in seconds that should be in minutes'] : []),
  ]
}
