import fs from 'node:fs'
import path from 'node:path'
import type { ErrorView } from '../refusal/view'
import type { AppRouter } from '../router'
import type { Schema } from './operations'
import type { RestProcedure } from './routes'

// Schemas of REST answers. `npm run answers` has the compiler read the router's types and writes answers.json, and a
// test fails when the file is outdated. A server reads the file and loads no compiler.

/** RFC 9457, with the same fields as an error in the console. */
export interface Problem extends ErrorView {
  /** `urn:berth:problem:` and the code. */
  readonly type: string
  readonly title: string
  readonly status: number
}

type Procedures = AppRouter['_def']['record']

type OutputOf<P> = P extends `${infer Noun extends keyof Procedures}.${infer Verb}`
  ? Procedures[Noun][Verb & keyof Procedures[Noun]] extends {
      readonly _def: { readonly $types: { readonly output: infer Output } }
    }
    ? RestOutput<Output>
    : never
  : never

/** For reports, the last one. In brackets, so that a union is not split and keeps its name. */
type RestOutput<Output> = [Output] extends [AsyncIterable<infer Report>] ? Report : Output

/** By procedure, before it is JSON, and the answer to a failed request. */
export type RestAnswers = { readonly [P in RestProcedure]: OutputOf<P> } & { readonly problem: Problem }

export interface AnswerSchemas {
  readonly properties: Readonly<Record<string, Schema>>
  readonly components: Readonly<Record<string, Schema>>
}

export function readAnswerSchemas(): AnswerSchemas {
  return JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'answers.json'), 'utf8'))
}

/** A JSON answer cannot stream reports, so it is the last report, which contains all earlier ones. */
export async function lastReport(answer: unknown): Promise<unknown> {
  if (!isReports(answer)) return answer
  let last: unknown = null
  for await (const report of answer) last = report
  return last
}

const isReports = (answer: unknown): answer is AsyncIterable<unknown> =>
  typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer
