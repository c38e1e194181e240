import type { Judge, JudgeDefinition, ReaderDefinition, Suite, SystemDefinition } from './model/index.js'
import { beam } from './suites/beam/index.js'
import { locomo } from './suites/locomo/index.js'
import { longmemeval } from './suites/longmemeval/index.js'
import { meme } from './suites/meme/index.js'
import { memfail } from './suites/memfail/index.js'
import { memora } from './suites/memora/index.js'
import { own } from './suites/own/index.js'

/** The suites, in the order of tables. */
export const suites: readonly Suite[] = [memfail, meme, memora, locomo, longmemeval, beam, own]

/** The suite whose paper says how its judge is to be asked, which the judge `paper` does. */
export const PAPER_PROTOCOL = memfail.name

/** A task by which texts show how tasks are named. */
export const TASK_EXAMPLE = 'memfail/long-hop'

/** What one may type behind `memscope data`. */
export const DATA_EXAMPLES: readonly string[] = [
  'lint --suite memfail',
  'lint --suite memora --days 28',
  'import my.jsonl --out my-data',
  'generate --suite memfail/long-hop --n 10000 --seed 7 --out corpus',
  'generate --suite memfail --generator rehearsal:demo --target 20 --out rows',
  'generate --suite meme --generator paper --estimate',
  'export --suite memfail --format published --out csv',
  'export --suite memora --days 7,28 --personas academic_researcher --out lives',
]

/** The memory systems of the tour: every keyless way of retrieving. */
export const TOUR: readonly string[] = ['bm25', 'bm25-hops', 'dense', 'hybrid', 'digest', 'oracle']

/** A part that comes with Memscope: its name, and its code once somebody asks for it. */
export interface Builtin<T> {
  name: string
  load(): Promise<T>
}

/** The memory systems, in the order of tables. */
export const systems: readonly Builtin<SystemDefinition>[] = [
  { name: 'none', load: async () => (await import('./systems/none/index.js')).none },
  { name: 'bm25', load: async () => (await import('./systems/bm25/index.js')).bm25 },
  { name: 'bm25-hops', load: async () => (await import('./systems/bm25-hops/index.js')).bm25Hops },
  { name: 'dense', load: async () => (await import('./systems/dense/index.js')).dense },
  { name: 'hybrid', load: async () => (await import('./systems/hybrid/index.js')).hybrid },
  { name: 'digest', load: async () => (await import('./systems/digest/index.js')).digest },
  { name: 'mem0', load: async () => (await import('./systems/mem0/index.js')).mem0 },
  { name: 'mem0-v1', load: async () => (await import('./systems/mem0-v1/index.js')).mem0V1 },
  { name: 'mem0-v2', load: async () => (await import('./systems/mem0-v2/index.js')).mem0V2 },
  { name: 'a-mem', load: async () => (await import('./systems/a-mem/index.js')).aMem },
  { name: 'simplemem', load: async () => (await import('./systems/simplemem/index.js')).simpleMem },
  { name: 'structmem', load: async () => (await import('./systems/structmem/index.js')).structMem },
  { name: 'langmem', load: async () => (await import('./systems/langmem/index.js')).langmem },
  { name: 'memobase', load: async () => (await import('./systems/memobase/index.js')).memobase },
  { name: 'memoryos', load: async () => (await import('./systems/memoryos/index.js')).memoryos },
  { name: 'memos', load: async () => (await import('./systems/memos/index.js')).memos },
  { name: 'nemori', load: async () => (await import('./systems/nemori/index.js')).nemori },
  { name: 'graphiti', load: async () => (await import('./systems/graphiti/index.js')).graphiti },
  { name: 'md-flat', load: async () => (await import('./systems/md-flat/index.js')).mdFlat },
  { name: 'memory-tool', load: async () => (await import('./systems/memory-tool/index.js')).memoryTool },
  { name: 'wiki', load: async () => (await import('./systems/wiki/index.js')).wiki },
  { name: 'full-context', load: async () => (await import('./systems/full-context/index.js')).fullContext },
  { name: 'oracle', load: async () => (await import('./systems/oracle/index.js')).oracle },
]

/** The judges, in the order in which they are told. */
export const judges: readonly Builtin<JudgeDefinition>[] = [
  { name: 'lexical', load: async () => (await import('./judges/lexical/index.js')).lexicalJudge },
  { name: 'llm', load: async () => (await import('./judges/llm/index.js')).llmJudge },
  { name: 'panel', load: async () => (await import('./judges/panel/index.js')).panelJudge },
  { name: 'hybrid', load: async () => (await import('./judges/hybrid/index.js')).hybridJudge },
  { name: 'paper', load: async () => (await import('./judges/paper/index.js')).paperJudge },
]

/** Who judges where nobody is named. */
export const DEFAULT_JUDGE = 'lexical'

/** Follows facts along timelines, whatever judge decides at probes: it needs no model and no vectors. */
export async function factTracker(): Promise<Judge> {
  return (await import('./judges/lexical/index.js')).createLexicalJudge()
}

/** The reader that a model alone names, as in `--reader openai:gpt-5-mini`. */
export const modelReader: Builtin<ReaderDefinition> = {
  name: 'llm',
  load: async () => (await import('./readers/llm/index.js')).llmReader,
}

export const readers: readonly Builtin<ReaderDefinition>[] = [modelReader]

/** All parts of a kind, in their order. */
export function loadAll<T>(parts: readonly Builtin<T>[]): Promise<T[]> {
  return Promise.all(parts.map((part) => part.load()))
}
