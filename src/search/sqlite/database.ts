// One SQLite file for each space. It is a cache: a file that is missing, damaged, half-written or of another
// version is deleted and created empty, then filled again from the files of the space. Many readers, one
// writer at a time (WAL).
// It lies where nobody else can write, and even a planted file would do no harm. Before anything in it is
// queried, its schema is compared with ours, so there is no view, trigger or function to run. And it stores
// the inode that it was created with, which nobody can predict, so a copy is rejected.

import { lstatSync, mkdirSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemErrorCode } from '../../base/index.ts'
import { DamagedIndex } from '../match/postings/damaged-index.ts'
import { ANALYSIS_VERSION } from '../text/tokenize.ts'
import { BUSY_MS, type Database, type OpenSqlite } from './load-sqlite.ts'

/** Raise with every change to a table, to a blob in it, or to what the parsers read from a file. */
const SCHEMA_VERSION = 17
const VERSION = SCHEMA_VERSION * 1000 + ANALYSIS_VERSION
/** `RYE1`: distinguishes our databases from those of other programs. */
const APPLICATION = 0x52594531

/** SQLite's name for a database without a file. */
export const MEMORY = ':memory:'

// Stored in the file. Pages are larger than the default, since a text of 2 KB would leave half of a default
// page empty.
const FILE_SETTINGS = 'PRAGMA page_size = 16384; PRAGMA journal_mode = WAL;'
// Set for each connection.
const CONNECTION_SETTINGS = `
  PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
  PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2000; PRAGMA temp_store = MEMORY;
`

const IDENTITY = `
  SELECT user_version AS version, application_id AS application FROM pragma_user_version, pragma_application_id
`

const BUSY_PAUSE_MS = 5
const STALE_LOCK_MS = 10_000

export const CREATE_POSTING =
  'CREATE TABLE posting (key INTEGER PRIMARY KEY, heads BLOB NOT NULL, places BLOB NOT NULL)'
export const CREATE_SHORT_POSTING =
  'CREATE TABLE short_posting (key INTEGER PRIMARY KEY, lists BLOB NOT NULL)'

const SCHEMA = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
  INSERT INTO meta VALUES ('generation', 1), ('last term', 0), ('dead', 0);
  CREATE TABLE item (
    doc INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime REAL NOT NULL, ctime REAL,
    inode REAL NOT NULL, hash TEXT NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, extension TEXT NOT NULL, may_be_signed INTEGER NOT NULL, name TEXT NOT NULL,
    name_key TEXT NOT NULL, title TEXT NOT NULL, description TEXT NOT NULL, category TEXT NOT NULL, version TEXT NOT NULL,
    date REAL, tags TEXT NOT NULL, parameters TEXT NOT NULL, metadata TEXT NOT NULL
  );
  CREATE INDEX item_id ON item (id, type);
  CREATE INDEX item_name ON item (name_key);
  CREATE INDEX item_signed ON item (doc) WHERE may_be_signed = 1;
  CREATE TABLE body (doc INTEGER PRIMARY KEY, text NOT NULL);
  CREATE TABLE term (text TEXT PRIMARY KEY, id INTEGER NOT NULL, stem TEXT) WITHOUT ROWID;
  CREATE INDEX term_stem ON term (stem, id) WHERE stem IS NOT NULL;
  ${CREATE_POSTING};
  ${CREATE_SHORT_POSTING};
  CREATE TABLE chunk (chunk INTEGER PRIMARY KEY, base INTEGER NOT NULL, types BLOB NOT NULL, lengths BLOB NOT NULL, keys BLOB NOT NULL);
  CREATE TABLE meaning (chunk INTEGER PRIMARY KEY, model TEXT NOT NULL, signatures BLOB NOT NULL, vectors BLOB NOT NULL);
  CREATE TABLE vector (hash TEXT NOT NULL, model TEXT NOT NULL, data BLOB NOT NULL, PRIMARY KEY (hash, model));
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${VERSION};
`

/** The statements as SQLite stores them, by the name of what they create. */
const OUR_SCHEMA = [...SCHEMA.matchAll(/CREATE (?:TABLE|INDEX) (\w+) [^;]+/g)]
  .sort(([, a], [, b]) => (a! < b! ? -1 : 1))
  .map(([statement]) => statement)
  .join('\n')

/**
 * Opens the database at a path, or in memory when the path cannot be used. Never throws because of an
 * existing file.
 */
export function openDatabase(open: OpenSqlite, path: string): Database {
  try {
    return openFile(open, path)
  } catch (thrown) {
    if (isBusy(thrown)) return prepare(open(MEMORY), MEMORY)
    if (!isDamage(thrown) && !isUnwritable(thrown)) throw thrown
  }
  try {
    removeDatabase(path, inodeOf(path))
    return openFile(open, path)
  } catch {
    return prepare(open(MEMORY), MEMORY)
  }
}

/** Writes everything or, when `write` throws, nothing. */
export function inTransaction<T>(database: Database, write: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = write()
    database.exec('COMMIT')
    return result
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw thrown
  }
}

/**
 * Whether the file is not a valid database of ours: according to SQLite, or because what was read is not what
 * was written.
 */
export function isDamage(thrown: unknown): boolean {
  if (thrown instanceof DamagedIndex || thrown instanceof SyntaxError) return true
  if (thrown instanceof TypeError || thrown instanceof RangeError) return true
  const message = thrown instanceof Error ? thrown.message : ''
  return /malformed|not a database|disk I\/O|corrupt|no such table|no such column|file is encrypted|disk image/i.test(
    message,
  )
}

/** Whether the disk is full. */
export function isOutOfSpace(thrown: unknown): boolean {
  return thrown instanceof Error && /database or disk is full/i.test(thrown.message)
}

/** Whether another process has been writing for longer than we wait. */
export function isBusy(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.includes('database is locked')
}

/**
 * Deletes the database, unless another process has just replaced it. `found` is the inode that was found
 * damaged.
 */
export function removeDatabase(path: string, found: string): void {
  const lock = `${path}.lock`
  const locked = takeLock(lock)
  try {
    if (inodeOf(path) !== found) return
    for (const file of databaseFiles(path)) rmSync(file, { force: true, recursive: true })
  } finally {
    if (locked) rmdirSync(lock)
  }
}

/** The database, and what SQLite keeps beside it. */
export function databaseFiles(path: string): string[] {
  return ['', '-wal', '-shm', '-journal'].map(ending => path + ending)
}

function openFile(open: OpenSqlite, path: string): Database {
  mkdirSync(dirname(path), { recursive: true })
  // SQLite follows links, also those beside the database, and would write to their targets.
  for (const file of databaseFiles(path)) {
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false)
      throw new DamagedIndex('not a plain file')
  }
  const database = open(path)
  try {
    return prepare(database, path)
  } catch (thrown) {
    database.close()
    throw thrown
  }
}

function prepare(database: Database, path: string): Database {
  database.exec(CONNECTION_SETTINGS)
  if (isOurs(database, path)) return database
  configure(database)
  inTransaction(database, () => {
    if (isOurs(database, path)) return
    const { n } = database.prepare('SELECT count(*) AS n FROM sqlite_schema').get() as { n: number }
    if (n > 0) throw new DamagedIndex('the database is of another version or place')
    database.exec(SCHEMA)
    database.prepare(`INSERT INTO meta VALUES ('inode', ?)`).run(inodeOf(path))
  })
  return database
}

// Switching a new database to WAL takes an exclusive lock, and SQLite does not wait for it. A process that
// creates the database at the same time as another has to try again.
function configure(database: Database): void {
  for (const deadline = performance.now() + BUSY_MS; ; ) {
    try {
      database.exec(FILE_SETTINGS)
      return
    } catch (thrown) {
      if (!isBusy(thrown) || performance.now() > deadline) throw thrown
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_PAUSE_MS)
    }
  }
}

function isOurs(database: Database, path: string): boolean {
  const { version, application } = database.prepare(IDENTITY).get() as Record<string, number>
  if (version !== VERSION || application !== APPLICATION || !hasOurSchema(database)) return false
  const row = database.prepare(`SELECT value FROM meta WHERE key = 'inode'`).get() as
    | { value: string }
    | undefined
  return row?.value === inodeOf(path)
}

/**
 * Whether the database has our tables and indexes and nothing else: a query of a planted view might never
 * end. Only reads `sqlite_schema`, which is a table in every file.
 */
function hasOurSchema(database: Database): boolean {
  const rows = database.prepare('SELECT sql FROM sqlite_schema ORDER BY name LIMIT 100').all() as {
    sql: string | null
  }[]
  // Indexes that SQLite makes by itself have no statement.
  const found = rows.flatMap(({ sql }) => (typeof sql === 'string' ? [sql] : []))
  return found.join('\n') === OUR_SCHEMA
}

/**
 * Identifies the file: changes when the database is replaced or copied. The device is left out, as it may
 * change with a restart.
 */
export function inodeOf(path: string): string {
  if (path === MEMORY) return ''
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stat ? String(stat.ino) : ''
}

function isUnwritable(thrown: unknown): boolean {
  const code = systemErrorCode(thrown)
  if (code === 'EACCES' || code === 'EROFS' || code === 'ENOTDIR' || code === 'EEXIST' || code === 'EPERM')
    return true
  return thrown instanceof Error && /readonly|unable to open|authorization|is full/i.test(thrown.message)
}

/**
 * The lock is a directory, which only one process can create. One whose owner died is removed after a while.
 */
function takeLock(lock: string): boolean {
  const deadline = Date.now() + STALE_LOCK_MS
  while (true) {
    try {
      mkdirSync(lock)
      return true
    } catch (thrown) {
      if (systemErrorCode(thrown) !== 'EEXIST') return false
    }
    const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (Date.now() - made > STALE_LOCK_MS || Date.now() > deadline)
      rmSync(lock, { force: true, recursive: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  }
}
