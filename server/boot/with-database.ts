import { spawn } from 'node:child_process'
import { openDatabase } from './database'

// Runs a command with DATABASE_URL set to the database Berth uses: `tsx server/boot/with-database.ts prisma studio`. A
// server that was already running belongs to a running Berth, so it is not stopped.

const [command, ...args] = process.argv.slice(2)
if (!command) throw new Error('with-database needs a command to run')

const database = await openDatabase()
process.on('SIGINT', () => {}) // the command handles it; we stop the database afterwards
const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, DATABASE_URL: database.url } })
child.on('exit', async (code) => {
  if (!database.shared) await database.stop()
  process.exit(code ?? 1)
})
