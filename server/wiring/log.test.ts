import { expect, test } from 'vitest'
import { openLog } from './log'

function lineOf(write: (log: ReturnType<typeof openLog>) => void): Record<string, unknown> {
  const lines: string[] = []
  write(openLog('warn', { write: (text) => void lines.push(text) }))
  return JSON.parse(lines.join(''))
}

test('an error is logged with its message, code and cause, but without its other properties', () => {
  const error = Object.assign(new Error('connection lost', { cause: new Error('socket closed') }), {
    ...{ code: '57P01', client: { secretKey: 4711, connectionParameters: { host: 'db.example' } } },
  })
  for (const name of ['error', 'err']) {
    const line = lineOf((log) => log.error({ [name]: error }, 'the database failed'))
    expect(line[name]).toMatchObject({
      type: 'Error',
      message: 'connection lost',
      code: '57P01',
      stack: expect.any(String),
    })
    expect(line[name]).toMatchObject({ cause: { message: 'socket closed' } })
    expect(JSON.stringify(line)).not.toMatch(/4711|db\.example/)
  }
})

test('a thrown value that is not an error is logged unchanged', () => {
  expect(lineOf((log) => log.error({ error: 'torn' }, 'failed')).error).toBe('torn')
})

test('cyclic causes end', () => {
  const error = new Error('ring')
  error.cause = error
  expect(JSON.stringify(lineOf((log) => log.error({ error }, 'failed'))).length).toBeLessThan(20_000)
})
