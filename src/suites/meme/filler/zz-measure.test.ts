import { it } from 'vitest'
import { writeFileSync } from 'node:fs'
import { fillerPool, fillSessions, POOL_SIZE } from '/work/main/src/suites/meme/filler/index.js'
import { diversityOf } from '/work/main/src/suites/memfail/generate/diversity.js'
import { sentences } from '/work/main/src/base/text.js'
it('m', () => {
  for (const domain of ['personal-life', 'software-project'] as const) {
    let t = Date.now()
    const pool = fillerPool(domain)
    const all = Array.from({ length: POOL_SIZE }, (_, i) => pool.at(i))
    console.log(domain, 'pool ms', Date.now() - t)
    const tk = all.map((s) => s.tokens).sort((a, b) => a - b)
    console.log('tokens', tk[0], tk[75], tk[750], tk[1425], tk.at(-1), 'sum', tk.reduce((a, b) => a + b, 0))
    const tc = all.map(s => s.turns.length); console.log('turns mean', tc.reduce((a, b) => a + b) / 1500, Math.max(...tc))
    const d = diversityOf(all.slice(0, 1500).map((s) => s.turns.map((x) => x.text).join('\n')), 1)
    console.log(JSON.stringify(d))
    const par = new Map<string, Set<number>>(), sen = new Map<string, Set<number>>()
    let alen = 0, an = 0
    all.forEach((s, i) => s.turns.forEach((x) => { if (x.role === 'assistant') { an++; alen += x.text.length
      for (const p of x.text.replace(/```[^]*?```/g, (b) => b.replaceAll('\n\n', '\n')).split('\n\n')) { if (!par.has(p)) par.set(p, new Set()); par.get(p)!.add(i) }
      for (const p of sentences(x.text)) if (p.length > 30) { if (!sen.has(p)) sen.set(p, new Set()); sen.get(p)!.add(i) } } }))
    const often = [...par].filter(([, v]) => v.size > 30).sort((a, b) => b[1].size - a[1].size)
    console.log('answer chars mean', alen / an, 'paragraphs', par.size, 'over2%', often.length, often.slice(0, 25).map(([p, v]) => v.size + ' ' + p.slice(0, 70)))
    const so = [...sen].sort((a, b) => b[1].size - a[1].size)
    console.log('sentences', so.length, 'over 2%', so.filter(([, v]) => v.size > 30).length, so.slice(0, 12).map(([p, v]) => v.size + ' ' + p.slice(0, 70)))
    const sz = all.flatMap(s => s.turns.filter(t => t.role === 'assistant').map(t => t.text.length)).sort((a, b) => a - b); console.log('answers p10/50/90', sz[sz.length*.1|0], sz[sz.length*.5|0], sz[sz.length*.9|0]); console.log('openings', new Set(all.map((s) => s.turns[0]!.text)).size)
    const bad = all.flatMap((s) => s.turns.filter((x) => /\{[a-z]\w*\}|\{[^{}]*\|[^{}]*\}|undefined|NaN/.test(x.text)).map((x) => x.text.match(/.{0,40}(\{[a-z]\w*\}|\{[^{}]*\|[^{}]*\}|undefined|NaN).{0,30}/)?.[0]))
    console.log('bad', bad.length, [...new Set(bad)].slice(0, 30))
    t = Date.now()
    for (const [k, n] of [[32000, 100], [128000, 40]] as const) {
      t = Date.now(); let worst = 0, ns = 0
      for (let e = 0; e < n; e++) { const g = fillSessions({ domain, tokens: k, gaps: 6, seed: e, blocked: ['Velmora Bay', 'Keth Orran', '45 minutes'] }); const tot = g.flat().reduce((a, s) => a + s.tokens, 0); ns += g.flat().length; worst = Math.max(worst, Math.abs(tot - k) / k) }
      console.log(k, 'ms', Date.now() - t, 'worst', worst, 'sessions', ns / n)
    }
    // within-episode repeats
    const g = fillSessions({ domain, tokens: 128000, gaps: 6, seed: 3, blocked: [] }).flat()
    const seen = new Map<string, number>(); let total = 0
    for (const s of g) for (const x of s.turns) if (x.role === 'assistant') for (const p of sentences(x.text)) if (p.length > 30) { total++; seen.set(p, (seen.get(p) ?? 0) + 1) }
    console.log('128K distinct sentences', seen.size, 'of', total)
    writeFileSync(`/tmp/fill/${domain}.txt`, all.slice(0, 40).map((s) => `=== ${s.id} ${s.tokens}\n` + s.turns.map((x) => `[${x.role}] ${x.text}`).join('\n')).join('\n\n'))
  }
}, 200000)
