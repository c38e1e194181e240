import { UserError, unknownName } from '../base/errors.js'
import { fingerprint } from '../base/hash.js'
import { DEFAULT_JUDGE, suites } from '../builtins.js'
import type { Gateway } from '../gateway/index.js'
import { evaluateJudge } from '../judges/eval.js'
import { evaluateAnswers } from '../judges/eval-answers.js'
import { evaluateCriteria } from '../judges/eval-criteria.js'
import { readGoldFile } from '../judges/gold.js'
import { resolveJudge } from '../judges/registry.js'
import { UnjudgedError } from '../model/index.js'
import type { Command } from './args.js'
import { homeAt, openEmbedder } from './compose.js'
import { judgeFrom } from './instruments.js'
import { showAgreement } from './judge-agree.js'
import { showBill } from './judge-bill.js'
import { readCases } from './judge-files.js'
import { SAMPLE_FLAGS, sampleCases } from './judge-sample.js'
import { answersTable, criteriaTable, factsTable } from './judge-tables.js'
import { MODEL_FLAGS, modelAccess, openGateway } from './models.js'
import { JUDGE_PROMPT_FLAG, judgePromptFrom } from './prompts.js'

/** `memscope judge`: how a judge agrees with labels, and what goes with that. */
export const judge: Command = {
  name: 'judge',
  about:
    'judge eval: compare a judge with labels; judge sample: draw cases to label; judge agree: compare two annotators; judge bill: what judging would cost',
  usage:
    'judge eval --gold <file.jsonl> [--judge lexical] | judge bill [--suite <name>] [--data <folder>] | judge sample <run> --n 60 --out cases.jsonl | judge agree a.jsonl b.jsonl',
  flags: {
    data: { type: 'text', value: '<folder>', about: 'bill: a published release (default the bundled corpora)' },
    suite: { type: 'text', value: '<name>', about: `bill: what is judged (default ${suites[0]!.name})` },
    size: { type: 'text', value: 'quick|paper|<n>', about: 'bill: how many rows a task (default paper)' },
    k: { type: 'text', value: '<n>', about: 'bill: memories retrieved a question (default 5)' },
    gold: { type: 'text', value: '<file.jsonl>', about: 'labelled facts, answers or criteria, one case a line' },
    judge: { type: 'text', value: '<name>', about: 'the judge, or a file of your own (default lexical)' },
    ...JUDGE_PROMPT_FLAG,
    embedder: { type: 'text', value: '<model>', about: 'embedding model of the lexical judge (default minilm)' },
    json: { type: 'text', value: '-', about: 'as JSON on standard output' },
    ...SAMPLE_FLAGS,
    ...MODEL_FLAGS,
  },
  words: 3,
  examples: [
    'memscope judge sample last --n 60 --out cases.jsonl',
    'memscope judge eval --gold cases.jsonl --judge hybrid:openai:gpt-5-mini --budget 1',
    'memscope judge agree anna.jsonl ben.jsonl',
    'memscope judge bill --k 10',
  ],
  async run(typed) {
    const {
      words: [verb],
      text,
    } = typed
    if (verb === 'agree') return showAgreement(typed)
    if (typed.words[2] !== undefined)
      throw new UserError(`"${typed.words[2]}" is one word too many.`, `Usage: memscope ${this.usage}`)
    if (verb === 'bill') return showBill(typed)
    if (verb === 'sample') return sampleCases(typed)
    if (verb !== 'eval') {
      if (verb === undefined) throw new UserError('What shall the judge do?', `Usage: memscope ${this.usage}`)
      throw unknownName('judge command', verb, ['eval', 'sample', 'agree', 'bill'])
    }
    if (text.gold === undefined) throw new UserError('--gold is missing.', `Usage: memscope ${this.usage}`)
    if (text.json !== undefined && text.json !== '-') throw new UserError(`Expected --json -, got "${text.json}".`)
    const labelled = readCases(text.gold, 'Give --gold a file of labelled cases.')
    const gold = readGoldFile(labelled, text.gold)
    const name = text.judge ?? DEFAULT_JUDGE
    const asked = await resolveJudge(name, process.cwd())
    const own = (await judgePromptFrom(typed, [name]))?.judgePrompt
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
      const chosen = await judgeFrom(asked, { embed, models: open, ...(own && { prompts: own }) })
      const print = <T>(result: T, table: (result: T) => string) =>
        process.stdout.write(text.json === '-' ? `${JSON.stringify(result, null, 2)}\n` : table(result))
      if (gold.kind === 'criteria') print(await evaluateCriteria(chosen, gold.cases), criteriaTable)
      else if (gold.kind === 'answers') print(await evaluateAnswers(chosen, gold.cases), answersTable)
      else print(await evaluateJudge(chosen, gold.cases), factsTable)
    } catch (error) {
      if (!(error instanceof UnjudgedError)) throw error
      throw new UserError(`The judge ${asked.label} cannot be compared. ${error.message}`, 'Mend it and try again.', 3)
    } finally {
      await embed.close()
      await (gateway as Gateway | null)?.close()
    }
    return 0
  },
}
