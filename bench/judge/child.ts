// Judges labelled facts with one engine, and writes what that took. Run by the benchmark, for memory is that of a process.
import { createEmbedder } from '../../src/gateway/embed/index.js'
import { createEntailment } from '../../src/gateway/entailment/index.js'
import { factOf, memoriesOf } from '../../src/judges/gold.js'
import { createLexicalJudge } from '../../src/judges/lexical/index.js'
import type { Entailment } from '../../src/model/index.js'
import { groupedCases } from './cases.js'

const [engine, cacheDir = '', wanted] = process.argv.slice(2)
const embedder = await createEmbedder({ model: 'minilm', engine: 'wasm', cacheDir })
const opened = createEntailment({ cacheDir })
const pairs = new Set<string>()
let again = 0
const counted =
  (read: Entailment['read'], isSecond: boolean): Entailment['read'] =>
  (asked) => {
    for (const { fact, memories } of asked) pairs.add(`${fact}\0${memories}`)
    if (isSecond) again += asked.length
    return read(asked)
  }
const { readFast } = opened
const isFast = engine === 'onnxruntime' && readFast !== undefined
const entail: Entailment = {
  id: opened.id,
  read: counted(opened.read, isFast),
  ...(isFast && { readFast: counted(readFast, false) }),
}
const { embedFast, ...exactly } = embedder
const judge = createLexicalJudge({ embed: isFast ? embedder : exactly, entail })
// What is loaded once a run is not counted to the facts.
const warm = [{ fact: 'Ada bakes.', memories: 'Ada is a baker.' }]
const texts = ['Ada bakes.']
await Promise.all(isFast ? [readFast(warm), embedFast?.(texts)] : [opened.read(warm), embedder.embed(texts)])
const [begun, cpu] = [performance.now(), process.cpuUsage()]
let unsettled = 0
for (const cases of groupedCases()) {
  if (unsettled >= Number(wanted)) break
  const facts = cases.flatMap((one) => one.facts.map((gold) => factOf(one, gold)))
  const verdicts = await judge.judgeFacts(facts, cases.flatMap(memoriesOf))
  unsettled += verdicts.filter(({ probability }) => probability !== undefined).length
}
const { user, system } = process.cpuUsage(cpu)
const spent = { seconds: (performance.now() - begun) / 1000, cpu: (user + system) / 1e6 }
const megabytes = process.resourceUsage().maxRSS / 1024
process.stdout.write(JSON.stringify({ isFast, unsettled, pairs: pairs.size, again, ...spent, megabytes }))
await Promise.all([embedder.close(), opened.close()])
