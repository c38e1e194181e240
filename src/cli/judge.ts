import { UserError, unknownName } from '../base/errors.js'
import { suites } from '../builtins.js'
import { judgeAgree, judgeBill, judgeEval, judgeSample } from '../library.js'
import { type Command, listFlag, optionsFrom, printJson, type Typed, textFlag, wantsJson } from './args.js'
import { JUDGE_FLAGS, LOAD_FLAG, MODEL_FLAGS } from './flags.js'
import { agreementTables, answersTable, billTable, criteriaTable, factsTable, sampleWords } from './judge-tables.js'
import { shownProgress } from './progress.js'

/** `memscope judge`: how a judge agrees with labels, and what goes with that. */
export const judge: Command = {
  name: 'judge',
  about:
    'eval: a judge against labels; sample: draw cases to label; agree: two annotators; bill: what judging would cost',
  usage: [
    'judge eval --gold <file.jsonl> [--judge lexical]',
    'judge bill [--suite <name>] [--data <folder>]',
    'judge sample <run> --n 60 --out cases.jsonl',
    'judge agree a.jsonl b.jsonl',
  ].join(' | '),
  flags: {
    data: textFlag('<folder>', 'bill: a published release (default the bundled corpora)'),
    suite: textFlag('<name>', `bill: what is judged (default ${suites[0]!.name})`),
    size: textFlag('quick|paper|<n>', 'bill: how many rows a task (default paper)'),
    k: textFlag('<n>', 'bill: memories retrieved a question (default 5)'),
    gold: textFlag('<file.jsonl>', 'labelled facts, answers or criteria, one case a line'),
    judge: textFlag('<name>', 'the judge, or a file of your own (default lexical; lexical:model=no by words alone)'),
    'judge-prompt': JUDGE_FLAGS['judge-prompt']!,
    embedder: textFlag('<model>', 'embedding model of the lexical judge (default minilm)'),
    json: textFlag('-', 'as JSON on standard output'),
    of: listFlag('facts|answers|criteria', 'sample: what is drawn (default: all that there are)'),
    system: listFlag('<names>', 'sample: systems whose verdicts are drawn (default all of the run)'),
    n: textFlag('<n>', 'sample: how many cases to draw of each (default 60)'),
    out: textFlag('<file.jsonl>', 'sample: where they go (default cases.jsonl)'),
    seed: textFlag('<n>', 'sample: seed of the draw (default 42)'),
    ...LOAD_FLAG,
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
    const [verb, first, second] = typed.words
    if (verb === 'agree') return agree(typed)
    if (second !== undefined) throw new UserError(`"${second}" is one word too many.`, `Usage: memscope ${this.usage}`)
    if (verb === 'bill') {
      const bill = await judgeBill(optionsFrom(typed))
      return print(typed, bill, billTable(bill))
    }
    if (verb === 'sample') {
      for (const drawn of await judgeSample(optionsFrom(typed, { run: first })))
        process.stdout.write(sampleWords(drawn, Number(typed.text.n ?? 60)))
      return 0
    }
    if (verb !== 'eval') {
      if (verb === undefined) throw new UserError('What shall the judge do?', `Usage: memscope ${this.usage}`)
      throw unknownName('judge command', verb, ['eval', 'sample', 'agree', 'bill'])
    }
    if (typed.text.gold === undefined) throw new UserError('--gold is missing.', `Usage: memscope ${this.usage}`)
    wantsJson(typed)
    const found = await judgeEval(optionsFrom(typed), shownProgress(process.stderr, true))
    if (found.kind === 'criteria') return print(typed, found.result, criteriaTable(found.result))
    if (found.kind === 'answers') return print(typed, found.result, answersTable(found.result))
    return print(typed, found.result, factsTable(found.result))
  },
}

async function agree(typed: Typed): Promise<number> {
  const [, a, b] = typed.words
  if (a === undefined || b === undefined)
    throw new UserError('Two files are needed.', 'Usage: memscope judge agree a.jsonl b.jsonl [--json -]')
  const found = await judgeAgree({ files: [a, b] })
  return print(typed, found, agreementTables(found))
}

function print({ text }: Typed, data: object, table: string): number {
  if (text.json === '-') return printJson(data)
  process.stdout.write(table)
  return 0
}
