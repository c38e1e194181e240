import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import type { Attack, Ground, Group, Served } from './attack.js'
import { expectOrder, expectThat, type Played, play } from './play.js'

/** What a runner of GitHub, Azure or TeamCity does something for, and what a terminal does. */
const COMMANDS: readonly string[] = [
  '::error::x',
  '::stop-commands::abc',
  '::add-mask::a',
  '::set-output name=a::b',
  '  ::warning::x',
  'x\n::error::y',
  'x\r::error::y',
  '\x1b[0m::error::x',
  '\u202e::error::x',
  '##[error]x',
  'x ##[add-mask]a',
  '##vso[task.complete]',
  '##teamcity[buildStop]',
  `${'w'.repeat(79)}::error::x`,
  `${'word '.repeat(16)}::error::x`,
]

const FORMULAS = ['=HYPERLINK("http://evil.example")', '+1+1', '-1+1', '@SUM(1)', '\t=1', ' =1', '\u200b=1', '\uff1d1']

/** A memory that says one of them wherever somebody listens. */
const MEMORY = `
const said = JSON.parse(process.env.ATTACK_SAID)
export default ({ log }) => ({
  name: 'logs',
  declared: { name: said[0] },
  async store({ turns }) {
    for (const text of said) { console.log(text); console.error(text); log?.(text) }
    this.notes = [...(this.notes ?? []), ...said.map((text, n) => ({ id: text + n, text: text + turns[0].text }))]
  },
  async retrieve(query, k) {
    if (import.meta.url.endsWith('throws.mjs')) throw new Error(said.join(' '))
    return (this.notes ?? []).slice(0, k)
  },
  async dump() { return this.notes ?? [] },
})
`

/** What others say in the log of a CI and in tables for people: nothing begins a command, nothing is a formula. */
export const logs: Group = {
  name: 'logs',
  attacks: (ground) => [
    ...parts(COMMANDS, 5).map(
      (said): Attack => ({
        kind: 'commands of a CI',
        name: said.map((text) => JSON.stringify(text).slice(0, 30)).join(', '),
        strike: (served) => heard(ground, said, served),
      }),
    ),
    { kind: 'formulas in tables', name: 'rows to look over', strike: (served) => tabled(ground, served) },
  ],
}

async function heard(ground: Ground, said: readonly string[], served: Served): Promise<void> {
  const cwd = ground.folder()
  for (const name of ['logs', 'throws']) writeFileSync(join(cwd, `${name}.mjs`), MEMORY.replace("'logs'", `'${name}'`))
  const env = { ATTACK_SAID: JSON.stringify(said), GITHUB_ACTIONS: 'true', COLUMNS: '80' }
  const small = ['--suite', 'memfail/long-hop', '--size', '1', '--k', '2']
  const commands = [
    ['run', '--system', './logs.mjs,./throws.mjs', ...small, '--debug'],
    ['show', 'last', 'long-hop', '--failed'],
    ['show', 'last', '--verbose'],
    ['report', 'last', '--quiet', '--csv', '-'],
    ['report', 'last', '--quiet', '--json', '-'],
    ['runs'],
  ]
  for (const args of commands) {
    for (const _ of said) served('commands of a CI')
    const played = await play(args, { cwd, env })
    expectOrder(played, [0, 3])
    expectUnheard(args, played)
  }
}

function expectUnheard(args: readonly string[], { out, err }: Played): void {
  for (const line of `${out}\n${err}`.split(/\r\n|[\r\n]/))
    expectThat(
      !line.trimStart().startsWith('::') && !/##\w*\[/.test(line),
      () => `${args.join(' ')} writes ${JSON.stringify(line)}`,
    )
}

async function tabled(ground: Ground, served: Served): Promise<void> {
  const cwd = ground.folder()
  const asked = ['--suite', 'memfail/coexisting', '--generator', 'rehearsal:demo', '--target', '8', '--out', 'rows']
  expectOrder(await play(['data', 'generate', ...asked], { cwd }), [0])
  for (const name of readdirSync(join(cwd, 'rows')).filter((file) => file.endsWith('.jsonl'))) {
    let at = 0
    const file = join(cwd, 'rows', name)
    // Every text of a fact begins with a formula.
    const text = readFileSync(file, 'utf8').replace(/"fact":"/g, (found) => {
      served('formulas in tables')
      return found + JSON.stringify(FORMULAS[at++ % FORMULAS.length]).slice(1, -1)
    })
    writeFileSync(file, text)
  }
  expectOrder(await play(['data', 'review', '--data', 'rows', '--sample', 'all', '--out', 'review'], { cwd }), [0])
  for (const name of ['review-a.csv', 'review-b.csv']) {
    const rows: string[][] = parse(readFileSync(join(cwd, 'review', name), 'utf8'))
    const formulas = rows.flat().filter((cell) => /^[\s\u200b]*[=+\-@\uff1d]/.test(cell))
    expectThat(formulas.length === 0, () => `${name} holds ${JSON.stringify(formulas[0])}`)
  }
}

function parts<T>(all: readonly T[], most: number): T[][] {
  const found: T[][] = []
  for (let at = 0; at < all.length; at += most) found.push(all.slice(at, at + most))
  return found
}
