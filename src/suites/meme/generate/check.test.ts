import { describe, expect, it } from 'vitest'
import type { Episode, EpisodeQuestion, Statement } from '../episode.js'
import { check } from './check.js'
import { makeEpisode } from './index.js'

const sound = () => makeEpisode({ domain: 'personal-life', seed: 3, index: 0, filler: 0, fillerName: 'none' })

/** What is found once an episode was damaged. */
const found = (damage: (episode: Episode) => void): string[] => {
  const episode = sound()
  episode.sessions = structuredClone(episode.sessions)
  damage(episode)
  return check(episode).map(({ kind, question, why }) => `${kind} ${question ?? ''}: ${why}`)
}
const of = (episode: Episode, task: EpisodeQuestion['task']): EpisodeQuestion =>
  episode.questions.find((question) => question.task === task)!
const rule = (episode: Episode, entity: string): Statement =>
  episode.statements.find((one) => one.entity === entity && one.stance === 'conditional')!

describe('the checker', () => {
  it('finds nothing in a sound episode', () => {
    expect(check(sound())).toEqual([])
  })

  it('sees an answer that may be two, and one that is said nowhere', () => {
    const two = found((episode) => {
      const [entity] = of(episode, 'cascade').entities as [string]
      const first = rule(episode, entity)
      const text = first.text.replace(first.value, 'Quagga Row')
      const session = episode.sessions.find(({ id }) => id === first.session)!
      session.turns.push({ role: 'user', text })
      episode.statements.push({ ...first, id: `${first.id}:2`, value: 'Quagga Row', text })
    })
    expect(two).toEqual([expect.stringMatching(/^ambiguous cascade\/\w+: \w+ may be .* or Quagga Row\.$/)])
    const none = found((episode) => {
      const { needs } = of(episode, 'absence')
      episode.statements = episode.statements.filter(({ id }) => !needs.includes(id))
    })
    expect(none.join('\n')).toMatch(/ambiguous : The change of \w+ is said 0 times/)
    expect(none.join('\n')).toMatch(/unsolvable absence\/\w+: It needs what nobody says/)
  })

  it('sees a gold that does not follow', () => {
    const swapped = (task: EpisodeQuestion['task'], values: string[]) =>
      found((episode) => {
        of(episode, task).values = values
      })
    expect(swapped('cascade', ['Nowhere'])[0]).toMatch(/^gold cascade\/\w+: \w+ is .*, not Nowhere\.$/)
    expect(swapped('tracking', ['a', 'b', 'c'])[0]).toMatch(/^gold tracking\/\w+: The series is/)
    expect(swapped('before', ['Nowhere'])[0]).toMatch(/^gold before\/\w+: It was said to be/)
    const relabelled = found((episode) => {
      of(episode, 'control-revoked').task = 'absence'
    })
    expect(relabelled[0]).toMatch(/^gold control-revoked\/\w+: \w+ is kept, not unknown\.$/)
  })

  it('sees needs that do not suffice, and needs too many', () => {
    const short = found((episode) => {
      of(episode, 'cascade').needs.pop()
    })
    expect(short.join('\n')).toContain('What it needs does not lead to what it expects.')
    const long = found((episode) => {
      of(episode, 'cascade').needs.push(...of(episode, 'control-unchanged').needs)
    })
    expect(long.join('\n')).toContain('What it needs does not lead to what it expects.')
  })

  it('sees values that can be taken for another, and values where none should be', () => {
    const same = found((episode) => {
      const [first, second] = episode.statements as [Statement, Statement]
      second.text = second.text.replace(second.value, `old ${first.value}`)
      second.value = `old ${first.value}`
    })
    expect(same.join('\n')).toMatch(/ambiguous : ".*" \(\w+\) stands in "old .*" \(\w+\)\./)
    const leak = found((episode) => {
      const turn = episode.sessions[1]!.turns.find(({ role }) => role === 'assistant')!
      turn.text += ` So ${episode.root.after} it is.`
    })
    expect(leak.join('\n')).toMatch(/text : s02 says ".*", and should not\./)
  })

  it('sees words that are not where they should be, times that fall and questions in the same words', () => {
    expect(found((episode) => Object.assign(episode.statements[0]!, { text: 'Never said.' }))[0]).toMatch(
      /^text : \S+ does not stand in s01\.$/,
    )
    expect(found((episode) => Object.assign(episode.sessions[2]!, { time: '2023-01-01T00:00:00Z' }))[0]).toMatch(
      /does not come after/,
    )
    const same = found((episode) => {
      of(episode, 'absence').text = of(episode, 'cascade').text
    })
    expect(same).toEqual([expect.stringMatching(/^ambiguous absence\/\w+: cascade\/\w+ is asked in the same words\.$/)])
  })
})
