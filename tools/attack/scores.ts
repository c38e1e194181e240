import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WrittenCell as Cell, WrittenSummary as Summary } from '../../src/report/summary-json.js'
import { root } from '../../test/cli.js'
import type { Attack, Ground, Group } from './attack.js'
import { type Code, expectOrder, expectThat, play, tail } from './play.js'

const BUYING = join(root, 'tools/attack/memories/buying.mjs')
const SMALL = ['--suite', 'memfail', '--size', '4', '--k', '5']
const ABSENCE = ['meme/absence', 'meme/implicit-absence', 'meme/control-revoked']

/** Words by which a memory would be unsure of everything, or keep nothing. */
const BLANKET = ['unsure', '(may be outdated)', 'unclear', '(to be deleted)', '(just an idea)']

/** Answers that say one thing and its contrary. Supersets and recitals are tried by `npm run cheats`, beside guessers. */
const ANSWERS: Record<string, string> = {
  'yes and no': '"Yes. No. Nothing is known of it."',
}

/** Memories and readers that try to look better than they are: nothing of it may show as a gain. */
export const scores: Group = {
  name: 'scores',
  attacks: (ground) => [
    {
      kind: 'time',
      name: 'all notes as the time of one memory',
      strike: async () => {
        const { cells } = await measured(ground, [...SMALL, '--system', `${BUYING}:how=time`], [3])
        expectThat(
          cells.every(({ n, errors }) => n === errors),
          () => 'a time that is a text was taken',
        )
      },
    },
    {
      kind: 'errors',
      name: 'throws where it is unsure, among many that do not',
      strike: async () => {
        const others = 'bm25,bm25:unit=sentence,bm25:k1=2,bm25:b=0.5,bm25:stem=no'
        const { status } = await measured(ground, [...SMALL, '--system', `${others},${BUYING}:how=throws`], [3])
        expectThat(status === 'invalid', () => `the run is ${status}`)
      },
    },
    ...BLANKET.map(
      (word): Attack => ({
        kind: 'blanket words',
        name: word,
        strike: async () => {
          const asked = ['--suite', ABSENCE.join(','), '--size', '6', '--filler', 'none', '--k', '20']
          const { cells } = await measured(ground, [...asked, '--system', `${BUYING},${BUYING}:word=${word}`], [0])
          const rate = (cell: Cell | undefined) => cell?.evidence?.rate ?? 0
          for (const plain of cells.filter(({ system }) => system === 'buying')) {
            const other = cells.find(({ system, task }) => system !== 'buying' && task === plain.task)
            expectThat(rate(other) <= rate(plain), () => `${plain.task}: ${rate(plain)} became ${rate(other)}`)
          }
        },
      }),
    ),
    ...Object.entries(ANSWERS).map(
      ([name, said]): Attack => ({
        kind: 'answers',
        name,
        strike: async () => {
          const cwd = ground.folder()
          const reading = `{ answer: String(${said}), prompt: '', tokens: { input: 0, output: 0 }, cost: 0 }`
          const reader = `export default { kind: 'reader', create: () => ({ read: async (question, memories) => (${reading}) }) }`
          writeFileSync(join(cwd, 'cheat.mjs'), reader)
          const asked = [
            '--suite',
            'memfail/coexisting,memfail/persona',
            '--size',
            '6',
            '--k',
            '50',
            '--system',
            'bm25',
          ]
          const { cells } = await measured(ground, [...asked, '--reader', './cheat.mjs'], [0, 3], cwd)
          const own = cells.filter(({ reader: who }) => who !== 'none')
          expectThat(own.length > 0, () => 'nothing was answered')
          for (const { task, answer } of own)
            expectThat((answer?.correct ?? 0) === 0, () => `${task}: ${answer?.correct} of ${answer?.n} are right`)
        },
      }),
    ),
    ...['bm25', 'oracle', 'guess'].map(
      (name): Attack => ({
        kind: 'names',
        name,
        strike: async () => {
          const cwd = ground.folder()
          copyFileSync(BUYING, join(cwd, `${name}.mjs`))
          writeFileSync(
            join(cwd, 'server.mjs'),
            `process.stdin.on('data', (all) => { for (const line of String(all).trim().split('\\n'))
              console.log(JSON.stringify({ id: JSON.parse(line).id, value: { name: '${name}' } })) })`,
          )
          for (const system of [`./${name}.mjs`, 'cmd:node server.mjs', `${name}=cmd:node server.mjs`]) {
            const played = await play(['run', ...SMALL, '--system', system, '--quiet'], { cwd })
            expectOrder(played, [2])
            expectThat(played.err.includes('the name of something built in'), () => tail(played.err))
          }
        },
      }),
    ),
  ],
}

async function measured(
  ground: Ground,
  asked: string[],
  codes: readonly Code[],
  cwd = ground.folder(),
): Promise<Summary> {
  const played = await play(['run', ...asked, '--seed', String(ground.seed), '--quiet', '--json', '-'], { cwd })
  expectOrder(played, codes)
  const summary = JSON.parse(played.out) as Summary
  // Guessers stand beside memories, and read none.
  return { ...summary, cells: summary.cells.filter(({ system }) => !system.startsWith('guess:')) }
}
