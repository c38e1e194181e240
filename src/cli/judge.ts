import { readFileSync } from 'node:fs'
import { UserError, unknownName } from '../base/errors.js'
import { fingerprint } from '../base/hash.js'
import type { Gateway } from '../gateway/index.js'
import { evaluateJudge } from '../judges/eval.js'
import { evaluateCriteria } from '../judges/eval-criteria.js'
import { readGoldFile } from '../judges/gold.js'
import type { Command } from './args.js'
import { homeAt, openEmbedder } from './compose.js'
import { showBill } from './judge-bill.js'
import { SAMPLE_FLAGS, sampleCases } from './judge-sample.js'
import { criteriaTable, factsTable } from './judge-tables.js'
import { createJudge, MODEL_FLAGS, modelAccess, openGateway } from './models.js'
import { JUDGE_PROMPT_FLAG, judgePromptFrom } from './prompts.js'

/** `memscope judge eval`: how a judge agrees with labels. */
export const judge: Command = {
  name: 'judge',
  about:
    'judge eval: compare a judge with labels; judge sample: draw cases to label; judge bill: what judging would cost',
  usage:
    'judge eval --gold <file.jsonl> [--judge lexical] | judge bill [--suite memfail] [--data <folder>] | judge sample <run> --n 60 --out cases.jsonl',
  flags: {
    data: { type: 'text', value: '<folder>', about: 'bill: a published release (default the bundled corpora)' },
    suite: { type: 'text', value: '<name>', about: 'bill: what is judged (default memfail)' },
    size: { type: 'text', value: 'quick|paper|<n>', about: 'bill: how many rows a task (default paper)' },
    k: { type: 'text', value: '<n>', about: 'bill: memories retrieved a question (default 5)' },
    gold: { type: 'text', value: '<file.jsonl>', about: 'labelled facts or criteria, one case a line' },
    judge: { type: 'text', value: '<name>', about: 'the judge (default lexical)' },
    ...JUDGE_PROMPT_FLAG,
    embedder: { type: 'text', value: '<model>', about: 'embedding model of the lexical judge (default minilm)' },
    json: { type: 'text', value: '-', about: 'as JSON on standard output' },
    ...SAMPLE_FLAGS,
    ...MODEL_FLAGS,
  },
  words: 2,
  examples: [
    'memscope judge sample last --n 60 --out cases.jsonl',
    'memscope judge eval --gold cases.jsonl --judge hybrid:openai:gpt-5-mini --budget 1',
    'memscope judge bill --k 10',
  ],
  async run(typed) {
    const {
      words: [verb],
      text,
    } = typed
    if (verb === 'bill') return showBill(typed)
    if (verb === 'sample') return sampleCases(typed)
    if (verb !== 'eval') {
      if (verb === undefined) throw new UserError('What shall the judge do?', `Usage: memscope ${this.usage}`)
      throw unknownName('judge command', verb, ['eval', 'bill', 'sample'])
    }
    if (text.gold === undefined) throw new UserError('--gold is missing.', `Usage: memscope ${this.usage}`)
    if (text.json !== undefined && text.json !== '-') throw new UserError(`Expected --json -, got "${text.json}".`)
    const labelled = readGold(text.gold)
    const gold = readGoldFile(labelled, text.gold)
    const name = text.judge ?? 'lexical'
    const own = judgePromptFrom(typed, [name])?.judgePrompt
    const home = homeAt(text.home)
    const embed = await openEmbedder(text.embedder ?? 'minilm', home)
    let gateway: Gateway | null = null
    const open = () => {
      // A budget is that of this judge on these cases, however often it is begun.
      const account = `judge eval ${fingerprint({ name, labelled, ...(own && { own }) })}`
      gateway ??= openGateway(modelAccess(typed), home, account, (message) => process.stderr.write(`${message}\n`))
      return gateway
    }
    try {
      const chosen = createJudge(name, embed, open, 0, own)
      const print = <T>(result: T, table: (result: T) => string) =>
        process.stdout.write(text.json === '-' ? `${JSON.stringify(result, null, 2)}\n` : table(result))
      if (gold.kind === 'criteria') print(await evaluateCriteria(chosen, gold.cases), criteriaTable)
      else print(await evaluateJudge(chosen, gold.cases), factsTable)
    } finally {
      await embed.close()
      await (gateway as Gateway | null)?.close()
    }
    return 0
  },
}

function readGold(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(
      `${file} cannot be read (${error instanceof Error && 'code' in error ? error.code : error}).`,
      'Give --gold a file of labelled cases.',
    )
  }
}
