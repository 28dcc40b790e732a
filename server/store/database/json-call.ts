import type pg from 'pg'

// A prepared call of a function that returns one JSON document. For any other query the driver asks for the columns of
// the result, builds a row of them and reports both as events: more work than the call itself.

/** The text selects one column of type json or jsonb, and returns one row. */
export interface JsonCallConfig {
  readonly name: string
  readonly text: string
  readonly values: readonly (string | null)[]
}

/** Resolves to null if the function returned null. */
export async function callForJson<T>(connection: Pick<pg.Pool, 'query'>, config: JsonCallConfig): Promise<T | null> {
  const call = new JsonCall<T>(config)
  await connection.query(call)
  return call.answer
}

/** node-postgres keeps the prepared statements of a connection by name, which its types leave out. */
type Connection = pg.Connection & { readonly parsedStatements: Readonly<Record<string, string>> }

/** Submitted by node-postgres, which calls its handlers, as those of a cursor. */
export class JsonCall<T> implements pg.Submittable {
  readonly name: string
  readonly text: string
  readonly answer: Promise<T | null>
  /** node-postgres replaces it by one that also ends the time limit of the query. */
  callback!: (error: Error | null, answer?: T | null) => void
  private readonly values: readonly (string | null)[]
  private json: string | null = null

  constructor({ name, text, values }: JsonCallConfig) {
    this.name = name
    this.text = text
    this.values = values
    this.answer = new Promise((resolve, reject) => {
      this.callback = (error, answer = null) => (error ? reject(error) : resolve(answer))
    })
  }

  submit(connection: pg.Connection): void {
    const { name, text, values } = this
    const isPrepared = (connection as Connection).parsedStatements[name] !== undefined
    connection.stream.cork() // one write to the socket
    if (!isPrepared) connection.parse({ name, text, types: [] }, true)
    connection.bind({ statement: name, values: values as (string | null)[] }, true)
    connection.execute(null, true)
    connection.sync()
    connection.stream.uncork()
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    this.json = fields[0] ?? null
  }

  handleReadyForQuery(): void {
    this.callback(null, this.json === null ? null : JSON.parse(this.json))
  }

  handleError(error: Error): void {
    this.callback(error)
  }

  handleRowDescription(): void {}
  handleCommandComplete(): void {}
}
