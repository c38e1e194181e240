import { describe, expect, it } from 'vitest'
import { missingPackages } from '../base/packages.js'
import { loadStory } from '../corpora/story/index.js'
import type { Plan, PlannedLife, Subject } from '../engine/plan.js'
import { questionsOf, type Suite } from '../model/index.js'
import { resolveSystem, systems } from '../systems/registry.js'
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

  const { needs } = systems.find(({ name }) => name === 'mem0')!
  const missing = missingPackages(needs?.packages, process.cwd())
  const why = missing.length > 0 ? ` (skipped: ${missing.join(', ')} not installed)` : ''
  it.skipIf(missing.length > 0)(`is counted also where a client of its own asks${why}`, async () => {
    const [one] = await estimateInside(await planned('mem0', 1))
    expect(one).toMatchObject({ calls: [{ role: 'ingest', calls: 8 }] })
    // The prompt of the package has 33,000 characters.
    expect(one!.calls![0]!.input).toBeGreaterThan(7000)
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
