import fs from 'node:fs'
import path from 'node:path'
import { schemasOf } from './schemas'

// `npm run answers` writes the JSON Schemas of REST's answers, from the types of the router.

export const ANSWERS = path.join(import.meta.dirname, '../api/rest/answers.json')

/** Levels with one line per entry, so that a diff shows the changed field. */
const LEVELS = 4

export const answersText = (): string =>
  `${printed(schemasOf({ file: 'server/api/rest/answers.ts', type: 'RestAnswers' }))}\n`

function printed(value: unknown, level = 0): string {
  if (level === LEVELS || typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value)
  const indent = ' '.repeat(level)
  const lines = Object.entries(value).map(
    ([key, each]) => `${indent} ${JSON.stringify(key)}: ${printed(each, level + 1)}`,
  )
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n${indent}}`
}

if (import.meta.filename === process.argv[1]) fs.writeFileSync(ANSWERS, answersText())
