import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SPEC } from '../bench/llm-model.js'
import { blocksOf } from '../bench/reading-model.js'
import type { Summary } from '../src/model/index.js'
import { comparable, Stage } from './llm.js'

const RUN = [
  'run',
  '--suite',
  'memfail/persona',
  '--system',
  'bm25',
  '--k',
  '3',
  '--size',
  '3',
  '--quiet',
  '--json',
  '-',
]
const MODELS = ['--reader', SPEC, '--judge', `llm:${SPEC}`]
const FENCE = 'between a line <<'

let stage: Stage
beforeAll(async () => {
  stage = await Stage.open()
})
afterAll(() => stage.server.close())

/** A file of prompts in the folder of the stage. */
function file(name: string, text: string): string {
  writeFileSync(join(stage.cwd, name), text)
  return name
}

/** Runs a command; what came, and what the model was told first and asked in it. */
async function play(...args: string[]) {
  const before = stage.model.requests.length
  const ended = await stage.play(args)
  const sent = stage.model.requests
    .slice(before)
    .flatMap(({ request }) =>
      'messages' in request
        ? [{ system: request.messages[0]!.content, user: request.messages[1]!.content, isJudge: !!request.format }]
        : [],
    )
  return { ...ended, sent, read: sent.filter(({ isJudge }) => !isJudge), judged: sent.filter(({ isJudge }) => isJudge) }
}

/** Runs that must end well. */
async function summaryOf(...args: string[]) {
  const played = await play(...args)
  expect([played.code, played.err]).toEqual([0, ''])
  return { ...played, summary: JSON.parse(played.out) as Summary }
}

describe("a user's prompts", () => {
  it('reach the model of the reader, fence and memories with them, and have a fingerprint of their own', async () => {
    const plain = await summaryOf(...RUN, ...MODELS)
    expect(plain.read.length).toBeGreaterThan(5)
    const mine = file(
      'mine.txt',
      '@@ system\nYou are Ada’s notebook.\n\n{fence}\n\n@@ memories\nMy notes:\n{memories}\n',
    )
    const own = await summaryOf(...RUN, ...MODELS, '--reader-prompt', mine)
    expect(own.read).toHaveLength(plain.read.length)
    for (const { system, user } of own.read) {
      expect(system).toMatch(/^You are Ada’s notebook\./)
      expect(system).toContain(FENCE)
      expect(user).toMatch(/^My notes:\n<<memories /)
      expect(blocksOf(user)).toHaveLength(1)
    }
    for (const { system } of plain.read) expect(system).toMatch(/^You answer a user's question\./)
    expect(own.summary.fingerprint).not.toEqual(plain.summary.fingerprint)
    const careful = await summaryOf(...RUN, ...MODELS, '--reader-prompt', 'careful')
    expect(careful.read[0]!.system).toMatch(/where two contradict each other, the later one counts/)
    expect(careful.summary.fingerprint).not.toEqual(plain.summary.fingerprint)
    const said = ({ summary }: { summary: Summary }) => summary.run.settings?.['reader prompt']
    expect(said(plain)).toMatch(/^default \([0-9a-f]{12}\)$/)
    expect(said(own)).toMatch(/^mine\.txt, in place of the default system, memories \([0-9a-f]{12}\)$/)
    expect(said(careful)).toMatch(/^careful, in place of the default system, choice, free-choice /)
  })

  it('are kept with the run: it is resumed, reported and judged again when the file is gone', async () => {
    const mine = file('gone.txt', '@@ system\nKept with the run.\n\n{fence}\n')
    const first = await summaryOf(...RUN, ...MODELS, '--limit', '2', '--reader-prompt', mine)
    const changed = '@@ system\nAnother text.\n\n{fence}\n@@ free\nBriefly.\n'
    file('gone.txt', changed)
    const resume = ['run', '--resume', 'last', '--limit', '5', '--quiet', '--json', '-']
    const refused = await play(...resume, '--reader-prompt', mine)
    expect(refused.code).toBe(2)
    expect(refused.err).toMatch(/another --reader-prompt: gone\.txt, asked for gone\.txt\. Different: system, free\./)
    const none = await play(...resume, '--judge-prompt', file('j.txt', '@@ answers/free\nfree: right.'))
    expect([none.code, none.err]).toEqual([2, expect.stringMatching(/--judge-prompt: default, asked for j\.txt/)])
    rmSync(join(stage.cwd, mine))
    const more = await summaryOf(...resume)
    expect(more.read.length).toBeGreaterThan(0)
    for (const { system } of more.read) expect(system).toMatch(/^Kept with the run\./)
    expect(more.summary.fingerprint).toEqual(first.summary.fingerprint)
    const again = await summaryOf('report', 'last', '--quiet', '--json', '-')
    expect([again.sent, comparable(again.out)]).toEqual([[], comparable(more.out)])
    const rejudged = await summaryOf('rejudge', 'last', '--judge', 'lexical', '--quiet', '--json', '-')
    expect(rejudged.sent).toEqual([])
  })

  it('reach the model of the judge, and make verdicts of their own', async () => {
    const mine = file('judge.txt', '@@ facts/system\nAudit sternly.\n\n{fence}\n\n@@ answers/free\nfree: be stern.\n')
    const own = await summaryOf(...RUN, ...MODELS, '--judge-prompt', mine)
    const of = (what: string) => own.judged.filter(({ user }) => blocksOf(user).some(({ name }) => name === what))
    expect([of('targets').length > 0, of('cases').length > 0]).toEqual([true, true])
    expect(own.summary.run.settings?.['judge prompt']).toMatch(
      /^judge\.txt, in place of the default facts\/system, answers\/free \([0-9a-f]{12}\)$/,
    )
    for (const { system } of of('targets')) expect(system).toMatch(/^Audit sternly\.[\s\S]*<<name code>>/)
    for (const { system } of of('cases')) expect(system).toMatch(/^You grade answers/)
    expect(of('cases').some(({ user }) => user.includes('free: be stern.'))).toBe(true)
    const other = file('judge.txt', '@@ facts/system\nAudit mildly.\n\n{fence}\n')
    const again = await summaryOf('rejudge', 'last', '--judge-prompt', other, '--quiet', '--json', '-')
    expect(again.read).toEqual([])
    expect(again.judged.filter(({ system }) => system.startsWith('Audit mildly.')).length).toBe(of('targets').length)
    const usual = await summaryOf('rejudge', 'last', '--judge-prompt', 'default', '--quiet', '--json', '-')
    expect(usual.judged.every(({ system }) => /^You (?:audit|grade)/.test(system))).toBe(true)
  })

  it('can be changed for answers alone: reanswer', async () => {
    await summaryOf(...RUN, ...MODELS, '--reader-prompt', 'careful')
    const mine = file('short.txt', '@@ free\nIn one word.\n@@ yes-no\nYes or no?')
    const args = ['reanswer', 'last', '--reader', SPEC, '--quiet', '--json', '-']
    const own = await summaryOf(...args, '--reader-prompt', mine)
    expect(own.read.length).toBeGreaterThan(5)
    for (const { system, user } of own.read) {
      expect(system).not.toMatch(/the later one counts/)
      expect(user).toMatch(/In one word\.$|Yes or no\?$/)
    }
    expect((await summaryOf(...args)).sent).toEqual([])
  })

  it.each<[string, string[], RegExp]>([
    ['a file that is not there', ['--reader-prompt', 'nowhere.txt'], /nowhere\.txt cannot be read \(ENOENT\)/],
    [
      'an unknown section',
      ['--reader-prompt', 'a.txt'],
      /section "sytem", which readers do not have\.\n.*Did you mean "system"\?/,
    ],
    ['a fence left out', ['--reader-prompt', 'b.txt'], /The section "system" of "b\.txt" has no \{fence\}/],
    ['a question left out', ['--reader-prompt', 'c.txt'], /has no \{question\}/],
    [
      'a judge’s section in a reader’s file',
      ['--reader-prompt', 'd.txt'],
      /"answers\/free", which readers do not have/,
    ],
    ['a judge’s fence left out', ['--judge-prompt', 'e.txt'], /"facts\/system" of "e\.txt" has no \{fence\}/],
    ['no reader to be told', ['--reader', 'none', '--reader-prompt', 'careful'], /none is asked for/],
    ['a judge without a model', ['--judge', 'lexical', '--judge-prompt', 'd.txt'], /lexical would not use it/],
    ['a judge of a fixed protocol', ['--judge', `paper:${SPEC}`, '--judge-prompt', 'd.txt'], /would not use it/],
  ])('are refused before anything is asked: %s', async (_, args, message) => {
    file('a.txt', '@@ sytem\nHello.\n{fence}')
    file('b.txt', '@@ system\nHello.')
    file('c.txt', '@@ question\nWhat then?')
    file('d.txt', '@@ answers/free\nfree: as you like.')
    file('e.txt', '@@ facts/system\nHello.')
    const chosen = MODELS.flatMap((word, i) => (i % 2 === 0 && !args.includes(word) ? [word, MODELS[i + 1]!] : []))
    const { code, err, sent } = await play(...RUN, ...chosen, ...args)
    expect([code, sent]).toEqual([2, []])
    expect(err).toMatch(message)
    expect(err).not.toMatch(/\n {4}at /)
  })

  it('are measured against labels: judge eval', async () => {
    const facts = [{ id: 'f', label: 'correct', support: [0], source_supports: true, text: 'I like tea.' }]
    const one = {
      id: 'c',
      dataset: 'coexisting',
      style: 'verbatim',
      source: ['I like tea.'],
      memories: ['I like tea.'],
      facts,
    }
    const gold = file('gold.jsonl', `${JSON.stringify(one)}\n`)
    const mine = file('eval.txt', '@@ facts/system\nAudit by the letter.\n\n{fence}\n')
    const args = ['judge', 'eval', '--gold', gold, '--json', '-']
    const { code, judged, out } = await play(...args, '--judge', `llm:${SPEC}`, '--judge-prompt', mine)
    expect([code, judged.length]).toEqual([0, 1])
    expect(judged[0]!.system).toMatch(/^Audit by the letter\./)
    expect(JSON.parse(out)).toMatchObject({ n: 1, accuracy: 1 })
    const idle = await play(...args, '--judge-prompt', mine)
    expect([idle.code, idle.err]).toEqual([2, expect.stringMatching(/lexical would not use it/)])
  })

  it('begin with those of the package, as models --prompts prints them', async () => {
    for (const [whose, flag] of [
      ['reader', '--reader-prompt'],
      ['judge', '--judge-prompt'],
    ] as const) {
      const { code, out } = await play('models', '--prompts', whose)
      expect(code).toBe(0)
      const same = await summaryOf(...RUN, ...MODELS, flag, file(`${whose}.txt`, out))
      // Word for word the default, so that nothing is asked again and the setting is the same.
      expect(same.sent).toEqual([])
      expect(same.summary.fingerprint).toEqual((await summaryOf(...RUN, ...MODELS)).summary.fingerprint)
    }
    expect((await play('models', '--prompts', 'readr')).err).toMatch(/Did you mean "reader"\?/)
  })
})
