import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { actingModel, PRICES, SPEC } from '../bench/llm-model.js'
import { type ScriptedServer, startScriptedServer } from '../bench/scripted-server.js'
import type { ScriptedModel } from '../src/gateway/index.js'
import type { WrittenSummary as Summary } from '../src/report/summary-json.js'
import { type Ended, memscope, memscopeHere, root, temporaryFolder } from './cli.js'

/** A memory with a model inside, read and judged by models: everything that calls one. */
export const EVERY_PART = [
  ...['--suite', 'memfail:pack=8', '--system', join(root, 'test/fixtures/llm-notes.ts'), '--size', '6'],
  ...['--model', SPEC, '--reader', SPEC, '--judge', `llm:${SPEC}`],
]

/** A scripted model in this process, and the built command line that reaches it over HTTP. */
export class Stage {
  readonly cwd = temporaryFolder()
  readonly prices = join(this.cwd, 'prices.json')

  private constructor(
    readonly model: ScriptedModel,
    readonly server: ScriptedServer,
  ) {
    writeFileSync(this.prices, JSON.stringify(PRICES))
  }

  static async open(model: ScriptedModel = actingModel(), apiKey?: string): Promise<Stage> {
    return new Stage(model, await startScriptedServer(model, apiKey))
  }

  /** Runs a command in the folder of this stage. */
  play(args: string[], env: Record<string, string> = {}): Promise<Ended> {
    return memscopeHere(args, this.#place(env))
  }

  /** The same in a process of its own. */
  playApart(args: string[], env: Record<string, string> = {}): Promise<Ended> {
    return memscope(args, this.#place(env))
  }

  #place(env: Record<string, string>): { cwd: string; env: Record<string, string> } {
    return { cwd: this.cwd, env: { MEMSCOPE_OPENAI_COMPATIBLE_BASE_URL: this.server.url, ...env } }
  }

  /** A whole run and its summary, told on standard output. */
  run(...more: string[]): Promise<Ended> {
    return this.play(['run', ...EVERY_PART, '--prices', this.prices, '--quiet', '--json', '-', ...more])
  }
}

/** What must be equal in equal runs. */
export function comparable(text: string): Omit<Summary, 'run' | 'timing'> {
  const { run, timing, ...rest } = JSON.parse(text) as Summary
  if (!run.id || !timing) throw new Error('The summary has no run or timing')
  return rest
}
