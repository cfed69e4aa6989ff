// Writes dist/system-index.sqlite, the index of the bundled items that a first search starts from. The built
// program makes it as it would make its own. What it records about the files of this machine is removed, so
// that another machine compares its files by content.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'

const TARGET = resolve('dist/system-index.sqlite')

rmSync(TARGET, { force: true })
const scratch = mkdtempSync(join(tmpdir(), 'rye-system-index-'))
try {
  const project = join(scratch, 'project')
  mkdirSync(project)
  execFileSync(process.execPath, [resolve('dist/rye.cjs'), 'index', '--project', project, '--quiet'], {
    env: { PATH: process.env.PATH, HOME: join(scratch, 'home') },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const indexes = join(scratch, 'home/.cache/rye/index')
  const name = readdirSync(indexes).find(name =>
    readFolders(join(indexes, name)).startsWith(resolve('system')),
  )
  if (name === undefined) throw new Error('the program made no index of the bundled items')
  writeIndex(join(indexes, name, 'index.sqlite'))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

function readFolders(folder) {
  return readFileSync(join(folder, 'folders.txt'), 'utf8')
}

function writeIndex(path) {
  const database = new DatabaseSync(path)
  database.exec(`
    UPDATE item SET size = 0, mtime = 0, ctime = 0, inode = 0;
    UPDATE meta SET value = '' WHERE key = 'inode';
    DELETE FROM meta WHERE key = 'last refresh';
  `)
  database.prepare('VACUUM INTO ?').run(TARGET)
  database.close()
  const written = new DatabaseSync(TARGET)
  // `VACUUM INTO` does not keep the WAL mode.
  written.exec('PRAGMA journal_mode = WAL')
  written.close()
}
