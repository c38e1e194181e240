import { describe, expect, it } from 'vitest'
import type { Episode, Statement } from '../src/suites/meme/episode.js'
import { makeEpisode } from '../src/suites/meme/generate/index.js'
import { DOMAINS } from '../src/suites/meme/graph.js'
import type { NoteStance, StatementCues } from '../src/systems/mosaic/cues.js'
import { noteOf } from '../src/systems/mosaic/note.js'
import { Timeline } from '../src/systems/mosaic/timeline.js'

/** What a statement of an episode does. */
function stanceOf({ id }: Statement): NoteStance {
  const kind = id.split(':')[0]!
  if (kind === 'rule' || kind === 'revoked') return kind
  if (kind === 'considered') return 'thought'
  return kind === 'change' || kind === 'announced' || /^track:.*:[^1]$/.test(id) ? 'change' : 'told'
}

/** What a model would give with it that reads it rightly. */
function cuesOf(statement: Statement): StatementCues {
  const noun = (entity: string) => entity.replaceAll('_', ' ')
  const { entity, value, parent } = statement
  const ground = parent?.becomes ?? parent?.value
  const leans = parent
    ? [ground === undefined ? `${noun(parent.entity)} changes` : `${noun(parent.entity)}: ${ground}`]
    : []
  return { leans, isNews: false, isForget: false, stance: stanceOf(statement), of: 'user', about: noun(entity), value }
}

/** What becomes of each statement at the end, by the solver's rules. */
function expectedMarks({ root }: Episode, said: readonly Statement[]): Map<string, string> {
  const marks = new Map<string, string>([[`value:${root.entity}`, 'over']])
  for (const { id } of said) {
    const next = id.replace(/\d+$/, (place) => String(Number(place) + 1))
    if (id.startsWith('track:') && said.some((other) => other.id === next)) marks.set(id, 'over')
  }
  const changed = [root.entity]
  for (const entity of changed) {
    for (const { id, entity: child } of said.filter(
      ({ id, parent }) => id.startsWith('dep:') && parent!.entity === entity,
    )) {
      const isMet = ({ becomes }: NonNullable<Statement['parent']>) =>
        becomes === undefined || (entity === root.entity && becomes === root.after)
      const rule = said.find((one) => one.id.startsWith('rule:') && one.entity === child && isMet(one.parent!))
      marks.set(id, rule ? 'by-rule' : 'in-doubt')
      if (rule) marks.set(rule.id, 'applies')
      changed.push(child)
    }
  }
  return marks
}

describe('the timeline of mosaic', () => {
  it('marks what the solver of MEME says is over, in doubt or settled by a rule, and nothing else, where it is told what a note is about', () => {
    for (let i = 0; i < 60; i++) {
      const domain = DOMAINS[i % DOMAINS.length]!
      const episode = makeEpisode({ domain, seed: 611, index: Math.floor(i / 2), filler: 0, fillerName: 'none' })
      const said = episode.statements.filter(({ exact, stance }) => !exact && stance !== 'removed')
      const timeline = new Timeline()
      for (const statement of said) timeline.add(noteOf({ id: statement.id, text: statement.text }, cuesOf(statement)))
      const found = said.flatMap(({ id }, at) => {
        const mark = timeline.markOf(at)
        return mark ? [[id, mark.kind] as const] : []
      })
      expect([episode.id, new Map(found.toSorted())]).toEqual([
        episode.id,
        new Map([...expectedMarks(episode, said)].toSorted()),
      ])
    }
  })
})
