import { join } from 'node:path'
import { UserError } from '../../src/base/errors.js'
import { createEmbedder, type LocalEmbedder } from '../../src/gateway/embed/index.js'
import { createEntailment } from '../../src/gateway/entailment/index.js'
import { factOf, memoriesOf } from '../../src/judges/gold.js'
import { createLexicalJudge } from '../../src/judges/lexical/index.js'
import type { Entailment } from '../../src/model/index.js'
import type { Bench } from '../bench.js'
import { withCache } from './cache.js'
import { groupedCases } from './cases.js'

const PAIRS = Number(process.env.BENCH_PAIRS ?? 5000)

/** Whether onnxruntime leads to the verdicts of WebAssembly. */
export const enginesBench: Bench = {
  name: 'judge-engines',
  about: 'at least 5,000 pairs read in WebAssembly and in onnxruntime, and the verdicts of both',
  run: (progress) =>
    withCache(async (cacheDir) => {
      // What one of them kept the other would not compute.
      const folders = ['exact', 'fast'].map((name) => join(cacheDir, name))
      const [exact, fast] = folders.map((folder) => createEntailment({ cacheDir: folder }))
      const embedders = await Promise.all(
        folders.map((folder) => createEmbedder({ model: 'minilm', engine: 'wasm', cacheDir: folder })),
      )
      const [{ embedFast: _, ...embedExactly }, embedFast] = embedders as [LocalEmbedder, LocalEmbedder]
      const { readFast } = fast!
      if (!readFast)
        throw new UserError(
          'onnxruntime is not installed.',
          'Name a folder that has it in MEMSCOPE_PEERS, or install it.',
        )
      let [pairs, largest, again, facts, changed] = [0, 0, 0, 0, 0]
      const compared: Entailment['read'] = async (asked) => {
        const [one, other] = [await exact!.read(asked), await readFast(asked)]
        pairs += asked.length
        for (const [i, logits] of one.entries())
          largest = Math.max(largest, ...logits.map((logit, at) => Math.abs(logit - other[i]![at]!)))
        return other
      }
      const read: Entailment['read'] = (asked) => {
        again += asked.length
        return exact!.read(asked)
      }
      const { id } = exact!
      const judges = [
        createLexicalJudge({ embed: embedExactly, entail: { id, read: exact!.read } }),
        createLexicalJudge({ embed: embedFast, entail: { id, read, readFast: compared } }),
      ]
      for (const cases of groupedCases()) {
        if (pairs >= PAIRS) break
        const asked = cases.flatMap((one) => one.facts.map((gold) => factOf(one, gold)))
        const [one, other] = [
          await judges[0]!.judgeFacts(asked, cases.flatMap(memoriesOf)),
          await judges[1]!.judgeFacts(asked, cases.flatMap(memoriesOf)),
        ]
        facts += asked.length
        changed += one!.filter((verdict, i) => JSON.stringify(verdict) !== JSON.stringify(other![i])).length
        progress(`${pairs} pairs`)
      }
      await Promise.all([...embedders, exact!, fast!].map((one) => one.close()))
      return {
        title: 'One verdict on every engine',
        note: 'What onnxruntime reads and embeds counts only where its error could not decide; the rest is read again in WebAssembly. Verdicts are compared with their reasons, probabilities and memories.',
        columns: ['pairs', 'largest difference of a logit', 'read again', 'facts', 'verdicts that differ'],
        rows: [[String(pairs), largest.toExponential(1), String(again), String(facts), String(changed)]],
      }
    }),
}
