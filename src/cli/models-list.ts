import { stripVTControlCharacters } from 'node:util'
import pc from 'picocolors'
import { printableJson } from '../base/text.js'
import type { Price, ProviderState } from '../gateway/index.js'
import { outputWithoutSecrets } from '../library/secrets.js'
import { type ModelList, listModels as modelsListed, shownPrompts } from '../library.js'
import { count } from '../report/format.js'
import { type Command, JSON_SWITCH, optionsFrom, switchFlag, textFlag } from './args.js'
import { MODEL_FLAGS } from './flags.js'

/** `memscope models`: which models can be asked, and what they cost. Makes no call. */
export const listModels: Command = {
  name: 'models',
  about: 'list providers, prices and embedders',
  usage: 'models [--json] [--prices <file> [--save]] [--prompts reader|judge|careful]',
  flags: {
    prices: textFlag('<file>', 'prices of your own, over those that were saved and the bundled table'),
    save: switchFlag('keep the prices of --prices for all runs of this home'),
    providers: MODEL_FLAGS.providers!,
    ...JSON_SWITCH,
    prompts: textFlag('<whose>', 'print what reader or judge is told, or the set careful, as a file'),
  },
  examples: [
    'memscope run --system bm25 --reader openai:gpt-5-mini --estimate',
    'memscope models --prompts reader > my-reader.txt',
    'MEMSCOPE_LAB_BASE_URL=http://127.0.0.1:9000/v1 memscope run --reader lab:my-model',
  ],
  async run(typed) {
    const { on, text } = typed
    if (text.prompts !== undefined) {
      process.stdout.write(await shownPrompts(text.prompts))
      return 0
    }
    const list = await modelsListed(optionsFrom(typed))
    process.stdout.write(
      outputWithoutSecrets(on.json ? `${printableJson(JSON.stringify(list, null, 2))}\n` : modelsText(list)),
    )
    return 0
  },
}

/** The list as text for a terminal. */
function modelsText({ providers, prices, embedders }: ModelList): string {
  const priced = Object.entries(prices.models)
  const language = priced.filter(([, { dimensions }]) => dimensions === undefined)
  const embedding = priced.filter(([, { dimensions }]) => dimensions !== undefined)
  const here = embedders.map(({ name, dimensions, engine }) => {
    return [name, `${dimensions} dimensions`, engine === null ? pc.yellow('not installed') : `here (${engine})`]
  })
  const remote = embedding.map(([name, { dimensions, input }]) => {
    return [name, `${dimensions} dimensions`, `$${rate(input)}, through a provider`]
  })
  return [
    `${pc.bold('Providers')} ${pc.dim('name a model as provider:model, such as openai:gpt-5-mini')}`,
    ...table(providers.map(providerCells), 'lll'),
    '',
    'Any OpenAI-compatible server is a provider too: set MEMSCOPE_<NAME>_BASE_URL,',
    'and MEMSCOPE_<NAME>_API_KEY if it wants a key.',
    pc.dim('  MEMSCOPE_LAB_BASE_URL=http://127.0.0.1:9000/v1 memscope run --reader lab:my-model'),
    '',
    `${pc.bold('Prices')} ${pc.dim(`USD per million tokens, as of ${prices.updated}; --prices <file> for your own`)}`,
    ...table(
      [['model', 'in', 'cached', 'out', 'longest reply', ''].map(pc.dim), ...language.map(priceCells)],
      'lrrrrl',
    ),
    pc.dim('  A model that is not listed can be used; its cost is unknown, never zero.'),
    '',
    `${pc.bold('Embedders')} ${pc.dim('--embedder <name>; on this machine, or provider:model')}`,
    ...table([...here, ...remote], 'lll'),
    ...embedders.flatMap(({ name, missing }) => (missing === null ? [] : [pc.dim(`  ${name}: ${missing}`)])),
    '',
  ].join('\n')
}

function providerCells({ provider, baseUrl, urlVariable, missing, ...keys }: ProviderState): string[] {
  const mark = missing === null ? pc.green('✓') : pc.dim('·')
  const none = keys.needsKey ? pc.yellow(`${keys.keyVariables.at(-1)} is not set`) : pc.dim('no key needed')
  const key = keys.keyFrom === null ? none : pc.green(`${keys.keyFrom} is set`)
  return [`${mark} ${provider}`, baseUrl ?? pc.yellow(`${urlVariable} is not set`), key]
}

function priceCells([name, { input, cachedInput, output, maxOutput, long }]: [string, Price]): string[] {
  const more = long ? `${rate(long.input)} and ${rate(long.output)} above ${count(long.above)} tokens` : ''
  const longest = maxOutput == null ? '?' : count(maxOutput)
  return [name, rate(input), rate(cachedInput ?? input), rate(output), longest, pc.dim(more)]
}

function rate(usd: number | null): string {
  return usd === null ? '?' : usd < 0.01 ? String(usd) : usd.toFixed(3).replace(/0$/, '')
}

/** Rows in columns of equal width, numbers to the right. Colours have no width. */
function table(rows: readonly (readonly string[])[], align: string): string[] {
  const widths = [...align].map((_, i) => Math.max(...rows.map((row) => width(row[i] ?? ''))))
  return rows.map((row) =>
    `  ${row.map((cell, i) => pad(cell, i === row.length - 1 && align[i] === 'l' ? 0 : widths[i]!, align[i] === 'r')).join('  ')}`.trimEnd(),
  )
}

function pad(cell: string, wide: number, right: boolean): string {
  const space = ' '.repeat(Math.max(0, wide - width(cell)))
  return right ? space + cell : cell + space
}

function width(text: string): number {
  return [...stripVTControlCharacters(text)].length
}
