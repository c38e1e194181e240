import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pathToFileURL } from 'node:url'
import { UserError } from '../../base/errors.js'
import type { WordPiece } from './wordpiece.js'

/** A file whose results are known, by its bytes. */
export interface PinnedFile {
  file: string
  sha256: string
}

/** What turns one window of text into one vector. Loads its weights when it is first asked. */
export interface Engine {
  /** Model, engine and weights. */
  readonly id: string
  readonly dimensions: number
  /** Most tokens of a window, `[CLS]` and `[SEP]` not counted. */
  readonly limit: number
  /** How this machine could compute faster, for people who wait. */
  readonly faster?: string
  /** Its weights as safetensors of 16-bit floats, where onnxruntime can take them as they are. */
  readonly weights?: PinnedFile
  tokenizer(): WordPiece
  /** Vector of unit length of a text that fits the limit. Texts never share a pass, so that vectors do not depend on company. */
  embed(text: string): Promise<Float32Array>
  close(): Promise<void>
}

interface ModelInfo {
  dimensions: number
  /** Tokens of a window, `[CLS]` and `[SEP]` included. */
  window: number
  wasm?: { weights: string; tokenizer: string }
  onnx: { folder: string; weights: string; tokenizer: string }
}

const UNCASED_TOKENIZER = 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0'

/** Models that run here, with SHA-256 of their weights and tokenizers. */
export const MODELS = {
  minilm: {
    dimensions: 384,
    window: 256,
    wasm: {
      weights: '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d',
      tokenizer: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
    },
    onnx: {
      folder: 'all-MiniLM-L6-v2',
      weights: '759c3cd2b7fe7e93933ad23c4c9181b7396442a2ed746ec7c1d46192c469c46e',
      tokenizer: UNCASED_TOKENIZER,
    },
  },
  'gte-small': {
    dimensions: 384,
    window: 512,
    onnx: {
      folder: 'gte-small',
      weights: '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3',
      tokenizer: UNCASED_TOKENIZER,
    },
  },
} as const satisfies Record<string, ModelInfo>

export type ModelName = keyof typeof MODELS

/** Name of an engine: also says how long texts are cut, for vectors depend on that too. */
export function engineId(model: ModelName, engine: 'wasm' | 'onnx', weights: string): string {
  return `${model}/${engine}/${weights.slice(0, 12)}/w${MODELS[model].window}`
}

/** Refuses files that are not the ones whose results are known. */
export async function checkPinned(files: readonly PinnedFile[]): Promise<void> {
  for (const { file, sha256 } of files) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash)
    const found = hash.digest('hex')
    if (found !== sha256) {
      throw new UserError(
        `The model file ${file} is not the expected one: SHA-256 should be ${sha256.slice(0, 16)}…, is ${found.slice(0, 16)}….`,
        'Install the package that holds it again.',
      )
    }
  }
}

/** URL by which the package in a folder is imported. */
export function packageEntry(folder: string): string {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    main?: string
    exports?: { '.'?: { import?: unknown; node?: unknown } }
  }
  const root = manifest.exports?.['.']
  const entry = [root?.node, root?.import, manifest.main].map(pathIn).find((path) => path !== undefined)
  return pathToFileURL(join(folder, entry ?? 'index.js')).href
}

/** The first path in a nest of export conditions. */
function pathIn(condition: unknown): string | undefined {
  if (typeof condition === 'string') return condition
  if (typeof condition !== 'object' || condition === null) return undefined
  const { import: esm, default: any } = condition as { import?: unknown; default?: unknown }
  return pathIn(esm) ?? pathIn(any)
}
