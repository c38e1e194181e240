import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { memscope, release, temporaryFolder } from './cli.js'

/** A user's mistake: exit 2, one screen, no stack, nothing written. */
async function expectMistake(args: string[], message: RegExp, cwd = temporaryFolder()): Promise<void> {
  const before = readdirSync(cwd)
  const { code, out, err } = await memscope(args, { cwd })
  expect(err).toMatch(message)
  expect(code).toBe(2)
  expect(out).toBe('')
  expect(err.split('\n').length).toBeLessThan(24)
  expect(err).not.toMatch(/\n\s+at /)
  expect(readdirSync(cwd)).toEqual(before)
}

describe('a mistake on the command line', () => {
  const mistakes: [args: string[], message: RegExp][] = [
    [['runn'], /no command "runn"[\s\S]*Did you mean "run"/],
    [['run', '--sytem', 'bm25'], /no flag --sytem[\s\S]*Did you mean --system/],
    [['run', '--suite', 'memfial'], /no suite "memfial"[\s\S]*Did you mean "memfail"/],
    [['run', '--suite', 'memfail/longhop'], /no task of memfail "longhop"[\s\S]*long-hop/],
    [['run', '--system', 'bm52'], /no system "bm52"[\s\S]*Did you mean "bm25"/],
    [['run', '--system', 'bm25:k2=1'], /no option of bm25 "k2"/],
    [['run', '--system', 'bm25:unit=week'], /bm25:unit=week: Expected "unit" to be turn/],
    [['run', '--system', 'bm25,dense:unit=chunk=x'], /Expected "unit" to be turn/],
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
    [['run', 'a.ts', 'b.ts'], /"b\.ts" is one word too many/],
    [['run', 'nowhere.ts'], /no config file/],
    [['judge', 'eval'], /--gold is missing/],
    [['judge', 'eval', '--gold', 'nowhere.jsonl'], /nowhere\.jsonl cannot be read/],
    [['report'], /Which run/],
    [['check'], /Which system/],
  ]
  for (const [args, message] of mistakes) {
    it(`is told in words: memscope ${args.join(' ')}`, () => expectMistake(args, message))
  }

  it('is told in words when there is no such run', async () => {
    const cwd = temporaryFolder()
    const { code, err } = await memscope(['run', '--resume', 'nothing'], { cwd })
    expect(code).toBe(2)
    expect(err).toMatch(/There are no runs here yet/)
  })
})

describe.skipIf(!existsSync(release))('a damaged release (skipped when ../shared is absent)', () => {
  it('is refused before anything is written', async () => {
    const cwd = temporaryFolder()
    cpSync(release, join(cwd, 'data'), { recursive: true })
    const file = join(cwd, 'data/coexisting_facts/coexisting_facts_dataset.csv')
    writeFileSync(file, readFileSync(file, 'utf8').replace('""bucket hat""]', '""bucket hat'))
    await expectMistake(['run', '--data', 'data', '--system', 'bm25'], /row 0 \(line 2\), column "preferences"/, cwd)
  })
})

describe('a place that cannot be written', () => {
  it('is named when it is a file where a folder is needed', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'home'), 'I am a file')
    await expectMistake(['run', '--home', 'home', '--system', 'bm25'], /home/, cwd)
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

  const disk = smallDisk()
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

/** A disk of 300 kB, where the machine allows it. */
function smallDisk(): string | null {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300k', 'tmpfs', folder], { stdio: 'ignore' })
    return folder
  } catch {
    return null
  }
}
