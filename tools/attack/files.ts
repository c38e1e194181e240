import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { QUICK } from '../../test/commands.js'
import type { Attack, Ground, Group } from './attack.js'
import { expectOrder, expectThat, play, tail } from './play.js'

const SMALL = ['--suite', 'memfail/long-hop', '--size', '1', '--system', 'bm25,dense', '--k', '1', '--quiet']

/** What a result must not be written over, with {} for the home. `a` and `b` are links to each other's file. */
const OVER: readonly string[][] = [
  ['--html', '{}/memscope.db'],
  ['--json', '{}/memscope.db'],
  ['--csv', '{}/memscope.db-wal'],
  ['--md', '{}/../.memscope/memscope.db'],
  ['--html', 'to-store'],
  ['--junit', '{}/labels/a.jsonl'],
  ['--badge', '{}/cache/replies.db'],
  ['--html', 'same', '--json', 'same'],
  ['--html', 'same', '--json', './same'],
  ['--md', 'a', '--csv', 'b'],
  ['--md', 'a', '--csv', 'hard'],
]

/** Commands that read a pipe to which nobody writes. */
const WAITING: readonly string[][] = [
  ['score', 'pipe'],
  ['data', 'import', 'pipe', '--suite', 'own', '--out', 'rows'],
  ['run', 'pipe'],
  ['run', ...QUICK, '--prices', 'pipe'],
  ['run', ...QUICK, '--judge', 'llm:openai:x', '--judge-prompt', 'pipe'],
  ['judge', 'eval', '--gold', 'pipe'],
]

/** Who may read and write what: homes that others look into, results over what is kept, pipes, links. */
export const files: Group = {
  name: 'files',
  attacks: (ground) => [
    { kind: 'others look into a home', name: 'made anew, under a wide umask', strike: () => looked(ground, false) },
    { kind: 'others look into a home', name: 'made wide before', strike: () => looked(ground, true) },
    { kind: 'a result over what is kept', name: 'a report of a run', strike: (served) => written(ground, served) },
    { kind: 'a result over what is read', name: 'traces', strike: () => overTraces(ground) },
    { kind: 'a link in the place of a file', name: 'init', strike: () => dangling(ground) },
    ...(['SIGINT', 'SIGTERM'] as const).flatMap((signal) =>
      WAITING.map((args): Attack => {
        return {
          kind: 'a pipe nobody writes to',
          name: `${args.join(' ')}, ${signal}`,
          strike: () => letGo(ground, args, signal),
        }
      }),
    ),
  ],
}

async function looked(ground: Ground, wide: boolean): Promise<void> {
  const cwd = ground.folder()
  const through = ['sh', '-c', 'umask 000; exec "$@"', 'sh']
  expectOrder(await play(['run', ...SMALL], { cwd, through }), [0])
  const home = join(cwd, '.memscope')
  if (wide) {
    for (const name of readdirSync(home, { recursive: true, encoding: 'utf8' })) chmodSync(join(home, name), 0o777)
    chmodSync(home, 0o777)
    expectOrder(await play(['runs'], { cwd }), [0])
  }
  const open = [
    home,
    ...readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => join(home, name)),
  ].filter((path) => (statSync(path).mode & 0o077) !== 0)
  expectThat(open.length === 0, () => `others may look into ${open.join(', ')}`)
}

async function written(ground: Ground, served: (kind: string) => void): Promise<void> {
  const cwd = ground.folder()
  expectOrder(await play(['run', ...SMALL], { cwd }), [0])
  const home = join(cwd, '.memscope')
  const store = readFileSync(join(home, 'memscope.db'))
  writeFileSync(join(cwd, 'a'), '')
  linkSync(join(cwd, 'a'), join(cwd, 'hard'))
  symlinkSync('a', join(cwd, 'b'))
  symlinkSync('.memscope/memscope.db', join(cwd, 'to-store'))
  for (const flags of OVER) {
    served('a result over what is kept')
    const args = ['report', 'last', '--quiet', ...flags.map((word) => word.replace('{}', home))]
    // A folder that is not there is refused as well, in other words.
    expectOrder(await play(args, { cwd }), [2])
    expectThat(readFileSync(join(home, 'memscope.db')).equals(store), () => `${flags.join(' ')} changed the store`)
  }
  expectOrder(await play(['report', 'last', '--quiet', '--json', '/dev/null', '--md', '/dev/null'], { cwd }), [0])
}

async function overTraces(ground: Ground): Promise<void> {
  const cwd = ground.folder()
  writeFileSync(join(cwd, 'traces.jsonl'), '{}\n')
  expectOrder(await play(['score', 'traces.jsonl', '--json', './traces.jsonl'], { cwd }), [2])
  expectThat(readFileSync(join(cwd, 'traces.jsonl'), 'utf8') === '{}\n', () => 'the traces were written over')
}

async function dangling(ground: Ground): Promise<void> {
  const cwd = ground.folder()
  symlinkSync('elsewhere', join(cwd, 'my-memory.ts'))
  expectOrder(await play(['init', 'ts'], { cwd }), [2])
  expectThat(!readdirSync(cwd).includes('elsewhere'), () => 'init wrote through a link')
}

async function letGo(ground: Ground, args: string[], signal: 'SIGINT' | 'SIGTERM'): Promise<void> {
  const cwd = ground.folder()
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  const stop = ({ child }: { child: { kill(signal: NodeJS.Signals): boolean } }) =>
    void sleep(1500).then(() => child.kill(signal))
  const { code, err } = await play(args, { cwd, limitMs: 30_000, begin: stop })
  const expected = signal === 'SIGINT' ? 130 : 143
  // A command may also find out by itself that it lacks something else.
  expectThat(code === expected || code === 2, () => `ended with ${code}, expected ${expected}\n${tail(err)}`)
}
