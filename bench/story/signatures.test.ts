import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { runStory } from './run.js'
import { readStoryScript } from './script.js'
import { scriptedSystems, showsFailure, signatures, withOptions, withSignatures } from './signatures.js'

const failures = scriptedSystems.flatMap((system) =>
  readStoryScript(system).failures.map((failure) => ({ ...failure, system })),
)

describe('failures that systems are known for', () => {
  it.each(failures)('$system: $by ($question is $shows), unless $off', async ({ system, ...failure }) => {
    const script = readStoryScript(system)
    const spec = withOptions(system, failure.with)
    const broken = await runStory(spec, script)
    expect(showsFailure(failure, broken), JSON.stringify(broken.outcomes[failure.question], null, 2)).toBe(true)
    const mended = await runStory(withOptions(spec, failure.off), script)
    const { outcome } = mended.outcomes[failure.question]!
    expect(showsFailure(failure, mended), JSON.stringify(mended.held, null, 2)).toBe(false)
    expect(outcome).toBe('answerable')
  })
})

it('keeps the current tables in docs/systems.md (npm run signatures)', async () => {
  const page = new URL('../../docs/systems.md', import.meta.url)
  const current = withSignatures(readFileSync(page, 'utf8'), await signatures())
  await expect(current).toMatchFileSnapshot(fileURLToPath(page))
})
