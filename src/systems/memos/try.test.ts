import { it } from 'vitest'
import { runStory } from '../../bench/story/run.js'
import { readStoryScript } from '../../bench/story/script.js'
it('x', async () => {
  for (const spec of (process.env.SPECS ?? '').split(' ')) {
    const r = await runStory(spec, readStoryScript(spec.split(':')[0]!))
    console.log(spec, JSON.stringify(Object.fromEntries(Object.entries(r.outcomes).map(([q, o]) => [q, `${o.outcome} ${o.outdated.map((x) => `${x.id}:${x.live}:${x.standing}`)}`])), null, 1), r.held.map((m) => `${m.id} ${m.text} [${m.sources}]`), process.env.R ? r.retrieved : '', r.asked.map((a) => `${a.at} ${a.step}`).join(', '))
  }
})
