import { describe, expect, it } from 'vitest'
import { loadStory } from '../corpora/story/index.js'
import type { Plan, PlannedLife, Subject } from '../engine/plan.js'
import { questionsOf, type Suite } from '../model/index.js'
import { resolveSystem } from '../systems/registry.js'
import { estimateInside } from './inside.js'

const { scenario } = loadStory()
const suite = { name: 'story' } as Suite

async function planned(spec: string, lives: number, own: Partial<Subject> = {}): Promise<Plan> {
  const { definition, options, label } = await resolveSystem(spec, '/')
  const subject: Subject = { definition, options, label, model: 'openai:x', ...own }
  const life = (trial: number): PlannedLife => ({
    key: { system: label, scenario: `${scenario.id}${trial}`, trial: 0 },
    suite,
    scenario,
    subject,
    timeline: false,
    readers: [],
    asks: questionsOf(scenario).map((question) => ({ question, ks: [1, 5] })),
  })
  // An estimate looks at lives and subjects alone.
  return { lives: Array.from({ length: lives }, (_, i) => life(i)), subjects: [subject] } as unknown as Plan
}

describe('what systems ask of the model inside them', () => {
  it('is counted by rehearsing them', async () => {
    const [one] = await estimateInside(await planned('mem0-v1', 1))
    expect(one).toMatchObject({ subject: 'mem0-v1 @ openai:x', calls: [{ role: 'ingest', calls: 16 }] })
    expect(one!.calls![0]!.input).toBeGreaterThan(200)
    expect(one!.calls![0]!.output).toBeGreaterThan(10)
  })

  it('is reckoned from some lives when there are many alike', async () => {
    const [many] = await estimateInside(await planned('mem0-v2', 100))
    expect(many!.calls).toMatchObject([{ role: 'ingest', calls: 800 }])
  })

  it('cannot be known of a system without a rehearsal', async () => {
    const { definition } = await resolveSystem('mem0-v1', '/')
    const { rehearsal: _rehearsal, ...bare } = definition
    expect(await estimateInside(await planned('mem0-v1', 1, { definition: bare }))).toMatchObject([{ calls: null }])
  })
})
