import fs from 'node:fs'
import path from 'node:path'

// A file that is reported as written must outlive a power cut: its bytes, and its name in the folder.

/** Errors of file systems that cannot sync a folder, or need not. PostgreSQL ignores the same. */
const UNSUPPORTED: ReadonlySet<unknown> = new Set(['EISDIR', 'EACCES', 'EPERM', 'EBADF', 'EINVAL'])

/** Writes the contents of the file to the disk. */
export function syncFile(file: string): void {
  // Some file systems refuse it for a file that is opened only for reading.
  sync(file, 'r+')
}

/** Writes the name of the file to the disk: after it was created, renamed or linked. */
export function syncName(file: string): void {
  try {
    sync(path.dirname(path.resolve(file)), 'r')
  } catch (error) {
    if (!UNSUPPORTED.has((error as NodeJS.ErrnoException).code)) throw error
  }
}

/** Renames a complete file; when it returns, a power cut leaves the whole file under its new name. */
export function renameSynced(from: string, to: string): void {
  syncFile(from)
  fs.renameSync(from, to)
  syncName(to)
}

function sync(name: string, flags: string): void {
  const opened = fs.openSync(name, flags)
  try {
    fs.fsyncSync(opened)
  } finally {
    fs.closeSync(opened)
  }
}
