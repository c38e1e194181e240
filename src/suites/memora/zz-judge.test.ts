import { it } from 'vitest'
import { lifeScenario } from './load.js'
import { TASKS } from './questions/index.js'
import { conversationsOf, questionsOf } from '../../model/index.js'
import { createLexicalJudge } from '../../judges/lexical/index.js'
it('judges', async () => {
  for (const days of [7, 28, 92]) {
    const s = lifeScenario({ persona: 'academic_researcher', days, seed: 42, tasks: TASKS })
    const store = conversationsOf(s).map((c) => ({ id: c.id, text: c.turns.map((t) => `${t.role}: ${t.text}`).join('\n') }))
    const t = performance.now()
    const v = await createLexicalJudge().judgeFacts(s.facts, store)
    console.log(days, (performance.now() - t).toFixed(0), 'ms for', s.facts.length)
    const tally: Record<string, number> = {}
    s.facts.forEach((f, i) => {
      const ok = f.sources.length ? v[i]!.support.some((x) => x.length === 1 && x[0] === f.sources[0]) : false
      const key = `${f.sources.length ? 'said' : 'derived'} ${v[i]!.label} own:${ok} alt:${v[i]!.support.length > 1}`
      tally[key] = (tally[key] ?? 0) + 1
      if ((f.sources.length && (!ok || v[i]!.label !== 'correct')) || (!f.sources.length && v[i]!.label !== 'not_stored')) console.log(f.id, f.text, v[i])
    })
    console.log(tally)
    // oracle-like store
    const ostore = s.facts.filter((f) => f.sources.length).map((f) => ({ id: f.id, text: f.text }))
    const ov = await createLexicalJudge().judgeFacts(s.facts, ostore)
    const bad = s.facts.filter((f, i) => f.sources.length && !ov[i]!.support.some((x) => x.length === 1 && x[0] === f.id))
    console.log('oracle bad', bad.length, bad.slice(0, 3).map((f) => f.id))
    const derived = s.facts.map((f, i) => [f, ov[i]!] as const).filter(([f]) => !f.sources.length && true)
    console.log(derived.map(([f, w]) => `${f.id} ${w.label} ${w.reason}`).join('\n'))
    // a store that has drawn the results
    const dstore = s.facts.filter((f) => !f.sources.length).map((f) => ({ id: f.id, text: `User: ${f.text.replace('Spending on', 'total spent for')}` }))
    const dv = await createLexicalJudge().judgeFacts(s.facts.filter((f) => !f.sources.length), dstore)
    console.log(dv.map((w) => `${w.fact} ${w.label} ${w.support}`).join('\n'))
    void questionsOf
  }
}, 120000)
