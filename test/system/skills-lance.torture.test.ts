// The skills table on a real LanceDB: sync, search, kills and two writers.
import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Embedder } from '../../src/search/meaning/embedder.ts'
import { providedTexts } from '../../src/search/meaning/text-embedder.ts'
import { collectRows } from '../../src/skills/table/collect-rows.ts'
import { openSkillTable } from '../../src/skills/table/lance/skill-table.ts'
import { foldersIn, LIBRARY, LIBRARY_ROWS } from '../skills/library.ts'
import { type Scratch, scratch } from '../workspace/scratch.ts'
import { buildProgram } from './programs/build-program.ts'

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))

let program: { folder: string; program: string }
beforeAll(async () => {
  program = await buildProgram('sync-skills')
  symlinkSync(MODULES, join(program.folder, 'node_modules'))
})
afterAll(() => rmSync(program.folder, { recursive: true, force: true }))

let root: string
let skills: string
let uri: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'rye-lance-'))
  skills = join(root, 'skills')
  uri = join(root, 'db')
  cpSync(LIBRARY, skills, { recursive: true })
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

async function openTable() {
  // Loaded after our own code has told its logger to be quiet.
  const { connect } = await import('@lancedb/lancedb')
  return (await connect(uri)).openTable('skills')
}

async function storedIds(): Promise<string[]> {
  const table = await openTable()
  const rows = await table.query().select(['id']).toArray()
  return rows.map(row => String(row.id)).sort()
}

function addSkill(name: string, tools: number): void {
  mkdirSync(join(skills, name, 'scripts'), { recursive: true })
  writeFileSync(join(skills, name, 'SKILL.md'), `---\nname: ${name}\ndescription: Skill ${name}\n---\n`)
  const functions = Array.from(
    { length: tools },
    (_, index) => `@skill_command()\ndef tool_${index}(): pass\n`,
  )
  writeFileSync(join(skills, name, 'scripts', 'a.py'), functions.join('\n'))
}

function sync(made: Scratch): Promise<Record<string, unknown>> {
  return made.run('skills sync', { directory: skills, lance: uri })
}

function startSync(): {
  child: ReturnType<typeof spawn>
  output: () => string
  done: Promise<number | null>
} {
  const child = spawn(process.execPath, [program.program, skills, uri], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  child.stdout!.on('data', part => {
    text += part
  })
  child.stderr!.on('data', part => {
    text += part
  })
  return { child, output: () => text, done: new Promise(resolve => child.on('close', resolve)) }
}

describe('a sync', () => {
  it('writes what has changed and reports it', async () => {
    const made = await scratch()
    const first = await sync(made)
    expect(first).toMatchObject({ added: LIBRARY_ROWS, updated: [], deleted: [], unchanged_count: 0 })
    expect(await storedIds()).toEqual(LIBRARY_ROWS)
    const { diagnostics } = first
    expect(diagnostics).toHaveLength(16)
    // A faulty skill is still faulty the second time.
    const nothing = {
      added: [],
      updated: [],
      deleted: [],
      unchanged_count: LIBRARY_ROWS.length,
      diagnostics,
    }
    expect(await sync(made)).toEqual(nothing)

    rmSync(join(skills, 'omniCell'), { recursive: true })
    writeFileSync(
      join(skills, 'memory/SKILL.md'),
      '---\nname: memory\ndescription: Keeps\nintents: [keep it]\n---\n',
    )
    addSkill('new', 2)
    expect(await sync(made)).toMatchObject({
      added: ['new', 'new.tool_0', 'new.tool_1'],
      updated: ['memory', 'memory.save_memory'],
      deleted: ['omniCell', 'omniCell.nuShell'],
      unchanged_count: LIBRARY_ROWS.length - 4,
    })
    expect(await sync(made)).toMatchObject({
      added: [],
      updated: [],
      deleted: [],
      unchanged_count: LIBRARY_ROWS.length + 1,
    })
  })

  it('sees that the table was changed by others, though no file was', async () => {
    const made = await scratch()
    await sync(made)
    const table = await openTable()
    const [row] = (await table.query().where("id = 'git.status'").toArray()).map(found => ({
      ...found.toJSON(),
      vector: [...found.vector],
    }))
    await table.delete("id = 'git.smart_commit'")
    await table.add([row!])
    expect(await sync(made)).toMatchObject({
      added: ['git.smart_commit'],
      updated: ['git.status'],
      deleted: [],
    })
    expect(await storedIds()).toEqual(LIBRARY_ROWS)
  })

  it('finishes what a killed one began', async () => {
    const made = await scratch()
    for (let index = 0; index < 40; index++) addSkill(`many-${index}`, 5)
    const wanted = [...(await collectRows(foldersIn(skills))).wanted().keys()].sort()
    const versions = join(uri, 'skills.lance/_versions')
    const commits = () => (existsSync(versions) ? readdirSync(versions).length : 0)
    // The table is made, then filled, then indexed column by column: each is a commit.
    for (const most of [0, 1, 2, 3, 5]) {
      for (;;) {
        const running = startSync()
        await new Promise<void>(resolve => running.child.stdout!.once('data', () => resolve()))
        while (commits() < most && running.child.exitCode === null)
          await new Promise(resolve => setTimeout(resolve, 1))
        running.child.kill('SIGKILL')
        if ((await running.done) === null) break
        // It was quicker than we were, so start over.
        rmSync(uri, { recursive: true, force: true })
      }
    }
    const answer = await sync(made)
    const changes = ['added', 'updated', 'deleted'].map(key => (answer[key] as string[]).length)
    // The program and the command judge folders differently: rows may be updated as well.
    expect(changes[0]! + changes[1]! + Number(answer.unchanged_count)).toBe(wanted.length)
    expect(await storedIds()).toEqual(wanted)
    expect(await sync(made)).toMatchObject({ added: [], unchanged_count: wanted.length })
    const { results } = await made.run('skills search', { query: 'smart commit', lance: uri })
    expect(results[0].id).toBe('git.smart_commit')
  })

  it('beside two others loses no row and writes none twice', async () => {
    const running = [startSync(), startSync(), startSync()]
    const statuses = await Promise.all(running.map(one => one.done))
    expect(statuses, running.map(one => one.output()).join('\n')).toEqual([0, 0, 0])
    expect(await storedIds()).toEqual(LIBRARY_ROWS)
  })
})

describe('a sync at an address, where no lock is', () => {
  it('beside two others loses no row and writes none twice', async () => {
    const scanned = await collectRows(foldersIn(skills))
    const tables = await Promise.all([0, 1, 2].map(() => openSkillTable({ uri: `file://${uri}` })))
    await Promise.all(tables.map(table => table.sync(scanned)))
    expect(await storedIds()).toEqual(LIBRARY_ROWS)
    for (const table of tables) table.close()
  })

  it('waits for nobody who began to make the table and has not made it yet', async () => {
    mkdirSync(join(uri, 'skills.lance/_transactions'), { recursive: true })
    writeFileSync(join(uri, 'skills.lance/_transactions/0-begun.txn'), '')
    const scanned = await collectRows(foldersIn(skills))
    for (const place of [uri, `file://${uri}`]) {
      const table = openSkillTable({ uri: place })
      expect(await table.recall()).toBeUndefined()
      await table.sync(scanned)
      table.close()
    }
    expect(await storedIds()).toEqual(LIBRARY_ROWS)
  })
})

describe('without LanceDB', () => {
  const PACKAGES = '@lancedb/lancedb@0.31.0 apache-arrow@18.1.0'

  /** A copy of the program as a package of a folder's `node_modules`, and what it says. */
  function install(home: string): () => Promise<string> {
    const dist = join(home, 'node_modules/ryekit/dist')
    mkdirSync(join(root, 'empty'), { recursive: true })
    cpSync(program.folder, dist, { recursive: true, filter: path => !path.endsWith('node_modules') })
    return () =>
      new Promise(resolve => {
        const words = [join(dist, 'sync-skills.mjs'), join(root, 'empty'), uri]
        const child = spawn(process.execPath, words, { cwd: root })
        let output = ''
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', part => {
            output += part
          })
        child.on('close', () => resolve(output))
      })
  }

  /** What the command of the hint would do. */
  function addLance(home: string): void {
    for (const name of ['@lancedb', 'apache-arrow'])
      symlinkSync(join(MODULES, name), join(home, 'node_modules', name))
  }

  it('says how it is installed where the program is, for all projects or for one, and finds it there', async () => {
    const global = join(root, 'lib')
    const sayGlobal = install(global)
    const failed = await sayGlobal()
    expect(failed).toContain("code: 'NOT_AVAILABLE'")
    expect(failed).toContain(`npm install --global ${PACKAGES}`)
    addLance(global)
    expect(await sayGlobal()).toBe('started\n')

    const local = join(root, 'team')
    const sayLocal = install(local)
    writeFileSync(join(local, 'package.json'), '{}')
    rmSync(uri, { recursive: true })
    expect(await sayLocal()).toContain(`npm install --prefix ${local} ${PACKAGES}`)
    addLance(local)
    expect(await sayLocal()).toBe('started\n')
  })

  it('an unchanged directory is known to be so', async () => {
    const running = startSync()
    expect(await running.done).toBe(0)
    const bare = join(root, 'bare')
    cpSync(program.folder, bare, { recursive: true, filter: path => !path.endsWith('node_modules') })
    const child = spawn(process.execPath, [join(bare, 'sync-skills.mjs'), skills, uri])
    let output = ''
    child.stdout.on('data', part => {
      output += part
    })
    expect(await new Promise(resolve => child.on('close', resolve))).toBe(0)
    // Files that are just written are read, and nothing is found to be done.
    expect(output).toBe('started\n')
  })
})

describe('the index command', () => {
  it('writes skills.json and the table anew', async () => {
    const made = await scratch()
    const out = join(root, 'skills.json')
    const answer = await made.run('skills index', { directory: skills, out, lance: uri })
    expect(answer.lance).toEqual({ uri, table: 'skills', rows: LIBRARY_ROWS.length })
    expect(await storedIds()).toEqual(LIBRARY_ROWS)
    const { default: written } = await import(out, { with: { type: 'json' } })
    expect(written).toEqual(JSON.parse(JSON.stringify(answer.skills)))
    const { diagnostics } = answer
    const nothing = {
      added: [],
      updated: [],
      deleted: [],
      unchanged_count: LIBRARY_ROWS.length,
      diagnostics,
    }
    expect(await sync(made)).toEqual(nothing)
  })
})

describe('a search', () => {
  it('routes plain requests to the tool that is meant', async () => {
    const made = await scratch()
    await sync(made)
    const first = async (query: string, more: object = {}) =>
      (await made.run('skills search', { query, lance: uri, ...more })).results[0]
    expect(await first('how do I commit my changes with a message?')).toMatchObject({
      id: 'git.smart_commit',
      metadata: { type: 'command', skill_tools_refers: ['smart_commit', 'run_research_graph'] },
      input_schema: { required: ['message'] },
    })
    expect(await first('recall what was kept')).toMatchObject({ id: 'knowledge.recall' })
    expect(await first('analyse a repository')).toMatchObject({ id: 'researcher.git_repo_analyer' })
    expect(await first('remember a text')).toMatchObject({ id: 'memory.save_memory' })
    expect(await first('git.status')).toMatchObject({ id: 'git.status', confidence: 'high', score: 1 })
  })

  it('filters by skill, category, score and confidence, and survives any text', async () => {
    const made = await scratch()
    await sync(made)
    const search = async (query: string, more: object) => {
      const answer = await made.run('skills search', { query, lance: uri, ...more })
      return answer.results.map((one: { id: string }) => one.id)
    }
    expect(await search('graph commit status', { skill: 'git', type: 'command' })).toEqual([
      'git.status',
      'git.smart_commit',
    ])
    expect(await search('commit', { skill: 'git', type: 'skill' })).toEqual(['git'])
    expect(await search('numbers', { category: 'resource' })).toEqual(['knowledge.graph_stats#resource'])
    expect(await search('status', { skill: "x' OR '1'='1" })).toEqual([])
    expect(await search('git.status', { threshold: 0.9 })).toEqual(['git.status'])
    expect(await search('numbers', { confidence: 'high' })).toEqual([])
    for (const query of ['"', 'AND (', '*', "';--", '🦄', 'a'.repeat(5000)]) {
      expect(await made.run('skills search', { query, lance: uri })).toHaveProperty('results')
    }
    expect(await made.run('skills search', { query: '  ', lance: uri })).toMatchObject({
      code: 'INVALID_INPUT',
    })
    expect(await made.run('skills search', { query: 'x', lance: join(root, 'none') })).toMatchObject({
      code: 'ITEM_NOT_FOUND',
    })
  })

  it('joins words and meaning when there is an embedder, and rebuilds a table without vectors', async () => {
    const words = ['commit', 'graph', 'shell', 'research', 'memory']
    const embedder: Embedder = {
      model: 'words',
      embed: async texts =>
        texts.map(text => Float32Array.from(words, word => (text.toLowerCase().includes(word) ? 1 : 0))),
    }
    const scanned = await collectRows(foldersIn(skills))
    const plain = await openSkillTable({ uri })
    await plain.sync(scanned)
    plain.close()
    const table = await openSkillTable({ uri, embedder: providedTexts(embedder) })
    expect(await table.sync(scanned)).toMatchObject({ added: [], updated: LIBRARY_ROWS })
    expect(await table.sync(scanned)).toMatchObject({ updated: [], unchanged_count: LIBRARY_ROWS.length })
    const { results, search_type } = await table.search('shell')
    expect([search_type, results[0]!.id, results[0]!.vector_score]).toEqual(['hybrid', 'omniCell.nuShell', 1])
    expect(results.every(one => one.score >= 0 && one.score <= 1)).toBe(true)
    table.close()
  })
})
