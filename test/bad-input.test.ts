import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memscope, root, temporaryFolder } from './cli.js'
import { expectMistake } from './mistake.js'

/** Little data, where a mistake is told only when there is a plan. */
const HOP = ['--suite', 'memfail/long-hop']

describe('a mistake on the command line', () => {
  const mistakes: [args: string[], message: RegExp][] = [
    [['runn'], /no command "runn"[\s\S]*Did you mean "run"/],
    [['run', '--sytem', 'bm25'], /no flag --sytem[\s\S]*Did you mean --system/],
    [['run', '--suite', 'memfial'], /no suite "memfial"[\s\S]*Did you mean "memfail"/],
    [['run', '--suite', 'memfail/longhop'], /no task of memfail "longhop"[\s\S]*long-hop/],
    [['run', '--system', 'bm52'], /no system "bm52"[\s\S]*Did you mean "bm25"/],
    [['run', '--system', 'bm25:k2=1'], /no option of bm25 "k2"/],
    [['run', ...HOP, '--system', 'bm25:unit=week'], /bm25:unit=week: Expected "unit" to be turn/],
    [['run', ...HOP, '--system', 'bm25,dense:unit=chunk=x'], /Expected "unit" to be turn/],
    [['run', '--system', 'md-flat'], /md-flat[\s\S]*--model rehearsal:demo/],
    [['run', '--system', 'hybrid:rff'], /no variant of hybrid "rff"[\s\S]*rrf/],
    [['run', '--system', 'bm25,bm25'], /named twice/],
    [['run', '--system', './nowhere.ts'], /nowhere\.ts/],
    [['run', '--k', '0'], /--k to be a whole number from 1/],
    [['run', '--k', 'five'], /--k to be a whole number/],
    [['run', '--k', '1,,5'], /empty item/],
    [['run', '--k'], /--k needs a value/],
    [['run', '--seed', '-1'], /--seed/],
    [['run', '--suite', 'memora', '--days', '-3'], /"-3" begins with a dash[\s\S]*--days=-3/],
    [['run', '--suite', 'memora', '--days=-3'], /--days to be whole numbers from 1/],
    [['run', '--suite', 'memora', '--size', '11'], /more personas[\s\S]*There are 10/],
    [['run', '--view', 'released'], /bundled data has no views[\s\S]*--data/],
    [['data', 'lint', '--data', 'nowhere'], /There is no folder[\s\S]*memfail:[\s\S]*meme:[\s\S]*memora:/],
    [['data', 'lint', '--data', '.'], /holds no data of a suite[\s\S]*memora:/],
    [['run', '--view', 'raw'], /--view to be audited or released/],
    [['run', '--size', 'huge'], /--size to be quick, paper or a number/],
    [['run', '--reader', 'gpt'], /"gpt" names no model/],
    [['run', '--judge', 'llm'], /no judge "llm"/],
    [['run', '--judge-trials', '3'], /lexical says the same every time[\s\S]*--judge llm:provider:model/],
    [['run', '--judge-trials', '0'], /--judge-trials to be a whole number from 1 to 100/],
    [['run', '--embedder', 'glove'], /no embedding model "glove"/],
    [['run', '--data', 'nowhere'], /There is no folder/],
    [['run', '--json', 'nowhere/x.json'], /cannot be written/],
    [['run', '--json', '-', '--csv', '-'], /Only one of --json, --csv/],
    [
      ['run', ...HOP, '--system', 'bm25', '--fail-under', 'evidnce>=0.5'],
      /no metric "evidnce"[\s\S]*Did you mean "evidence"/,
    ],
    [['run', ...HOP, '--system', 'bm25', '--fail-under', 'evidence>=80'], /rate from 0 to 1[\s\S]*80%/],
    [
      ['run', ...HOP, '--system', 'bm25', '--k', '5', '--fail-under', '@10.evidence>=0.5'],
      /matches no cell[\s\S]*Depths: 5/,
    ],
    [['run', '--suite', 'memfail', '--fail-under', 'meme.evidence>=0.5'], /matches no cell[\s\S]*memfail\/long-hop/],
    [
      ['run', ...HOP, '--system', 'bm25', '--fail-under', ':dense.evidence>=0.5'],
      /matches no cell[\s\S]*Systems: bm25/,
    ],
    [['run', '--suite', 'meme', '--fail-under', 'score.fama>=0.5'], /no metric "fama"[\s\S]*score\.partial/],
    [['run', ...HOP, '--system', 'bm25', '--fail-under', 'answer>=0.5'], /nothing answers[\s\S]*--reader/],
    [['run', 'a.ts', 'b.ts'], /"b\.ts" is one word too many/],
    [['run', 'nowhere.ts'], /no config file/],
    [['judge', 'eval'], /--gold is missing/],
    [['judge', 'eval', '--gold', 'nowhere.jsonl'], /nowhere\.jsonl cannot be read/],
    [['report'], /Which run/],
    [['explain', 'last', '--json', 'cells.json'], /Expected --json -, got "cells\.json"/],
    [['check'], /Which system/],
  ]
  for (const [args, message] of mistakes) {
    it(`is told in words: memscope ${args.join(' ')}`, () => expectMistake(args, message))
  }

  it('is told in the same words by a process of its own', () =>
    expectMistake(['run', '--sytem', 'bm25'], /Did you mean --system/, temporaryFolder(), memscope))

  it('is told in words when there is no such run', async () => {
    const cwd = temporaryFolder()
    const { code, err } = await memscope(['run', '--resume', 'nothing'], { cwd })
    expect(code).toBe(2)
    expect(err).toMatch(/There are no runs here yet/)
  })
})

describe('a memory system in the place of a config file', () => {
  it.each([
    'export default { create: () => ({}) }',
    'export default () => ({})',
    'export default class { store() {} }',
  ])('is told how to be run: %s', async (text) => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'mine.mjs'), text)
    await expectMistake(['run', './mine.mjs'], /mine\.mjs is a memory system[\s\S]*--system \.\/mine\.mjs/, cwd)
    await expectMistake(['run', 'mine.mjs'], /--system \.\/mine\.mjs/, cwd)
  })
})

describe('a folder in the place of a file', () => {
  const model = ['--suite', 'memfail/long-hop', '--system', 'bm25', '--reader', 'openai:gpt-5-mini']
  it.each<[args: string[]]>([
    [['run', 'folder']],
    [['run', ...model, '--replay', 'folder']],
    [['run', ...model, '--estimate', '--prices', 'folder']],
    [['run', ...model, '--estimate', '--reader-prompt', 'folder']],
    [['run', '--system', 'bm25', '--json', 'folder']],
    [['run', '--system', 'bm25', '--html', 'folder']],
    [['judge', 'eval', '--gold', 'folder']],
    [['models', '--prices', 'folder']],
  ])('is told in words: %j', async (args) => {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, 'folder'))
    await expectMistake(args, /folder (is a folder|cannot be read \(EISDIR\))|folder[\s\S]*is a folder/, cwd)
  })
})

describe('a place that cannot be written', () => {
  it.each<[args: string[]]>([
    [['run', '--home', '/proc/memscope', '--system', 'bm25', '--suite', 'memfail/long-hop']],
    [['runs', '--home', '/proc/memscope']],
    [['data', 'generate', '--n', '10', '--out', '/proc/memscope']],
    [['data', 'export', '--out', '/proc/memscope/x']],
    [['data', 'export', '--suite', 'memora', '--n', '1', '--out', '/proc/memscope']],
  ])('is named where nothing can be made: %j', (args) => expectMistake(args, /\/proc\/memscope/))

  const readOnly = mounted('ro')
  it.skipIf(readOnly === null)(
    'is named when its file system is read-only (skipped where none can be mounted)',
    async () => {
      const at = (name: string) => join(readOnly!, name)
      try {
        for (const home of [readOnly!, at('home')])
          await expectMistake(['run', '--home', home, '--system', 'bm25', '--suite', 'memfail/long-hop'], /memscope/)
        await expectMistake(['runs', '--home', readOnly!], /cannot be written/)
        await expectMistake(['data', 'generate', '--n', '10', '--out', at('rows')], /read-only/)
        await expectMistake(['data', 'export', '--out', at('rows')], /read-only/)
        await expectMistake(['run', '--system', 'bm25', '--csv', at('cells.csv')], /cells\.csv cannot be written/)
        const { code, err } = await memscope(['check', 'bm25'], { env: { TMPDIR: readOnly! } })
        expect(err).toMatch(/read-only/)
        expect(code).toBe(2)
      } finally {
        execFileSync('umount', [readOnly!])
      }
    },
  )

  const tiny = mounted('size=100k')
  it.skipIf(tiny === null)(
    'is named when its disk fills up, and holds no half of a file (skipped where no small disk can be mounted)',
    async () => {
      const cwd = temporaryFolder()
      const run = ['run', '--suite', 'memfail/long-hop', '--system', 'bm25', '--quiet']
      expect((await memscope(run, { cwd })).code).toBe(0)
      const commands = [
        ['data', 'generate', '--n', '5000', '--suite', 'memfail/long-hop', '--out', tiny!],
        ['data', 'export', '--out', tiny!],
        ['data', 'export', '--suite', 'memora', '--n', '2', '--out', tiny!],
        ['report', 'last', '--html', join(tiny!, 'report.html')],
        ['report', 'last', '--junit', join(tiny!, 'report.xml')],
      ]
      try {
        writeFileSync(join(tiny!, 'ballast'), 'x'.repeat(90_000))
        for (const args of commands) {
          const { code, err } = await memscope(args, { cwd })
          expect(err).toMatch(/disk is full/)
          expect(code).toBe(3)
          expect(err).not.toMatch(/\n\s+at /)
          expect(readdirSync(tiny!)).toEqual(['ballast'])
        }
      } finally {
        execFileSync('umount', [tiny!])
      }
    },
  )

  it('is told when standard output goes to a full device', () => {
    const shell = (args: string) =>
      spawnSync('sh', ['-c', `"${process.execPath}" "${join(root, 'dist/cli/main.js')}" ${args} > /dev/full`], {
        encoding: 'utf8',
      })
    const { status, stderr } = shell('systems')
    expect(stderr).toMatch(/standard output cannot be written \(ENOSPC\)/)
    expect(status).toBe(3)
  })

  it('is named when it is a file where a folder is needed', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'home'), 'I am a file')
    await expectMistake(['run', ...HOP, '--home', 'home', '--system', 'bm25'], /home/, cwd)
  })

  it.skipIf(process.getuid?.() === 0)(
    'is named when permissions forbid it (skipped for root, whom nothing is forbidden)',
    async () => {
      const cwd = temporaryFolder()
      mkdirSync(join(cwd, 'locked'))
      chmodSync(join(cwd, 'locked'), 0o500)
      await expectMistake(['run', '--home', 'locked', '--system', 'bm25'], /locked/, cwd)
    },
  )

  it('is named when a device is full, and the run itself is kept', async () => {
    const cwd = temporaryFolder()
    const { code, err } = await memscope(
      ['run', '--suite', 'memfail/long-hop', '--system', 'bm25', '--json', '/dev/full'],
      { cwd },
    )
    expect(err).toMatch(/full/)
    expect(code).toBe(3)
    expect((await memscope(['report', 'last', '--quiet', '--json', '-'], { cwd })).code).toBe(0)
  })

  const disk = mounted('size=300k')
  it.skipIf(disk === null)(
    'ends a run in words when the disk fills up, and the run can go on elsewhere (skipped where no small disk can be mounted)',
    async () => {
      const { code, err } = await memscope([
        'run',
        '--suite',
        'memfail',
        '--system',
        'bm25',
        '--k',
        '1,2,3,4,5',
        '--home',
        disk!,
      ])
      execFileSync('umount', [disk!])
      expect(err).toMatch(/disk .* is full|cannot be written|Writing .* failed/)
      expect(code).toBe(3)
      expect(err).not.toMatch(/\n\s+at /)
    },
  )
})

/** A file system of its own, where the machine allows it. */
function mounted(options: string): string | null {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    return null
  }
}
