import { describe, expect, it } from 'vitest'
import { fold, sentences, words } from '../../../base/text.js'
import { numberWords } from '../../../language/number-words.js'
import { generateRows } from './index.js'

const SEEDS = [0, 7, 20260]
const CONNECTIVES = /\b(?:unless|whenever|(?:(?:but )?only )?if|(?:only|except) when|only after)\b/i
const OBSERVABLE = new Set(
  'company food_or_drink_present lighting location noise_level prior_activity temperature time_of_day weather'.split(
    ' ',
  ),
)
const TYPES =
  'anxiety_level approval_received company completion_state conflict_state day_of_week energy_level food_or_drink_present frequency_cap hunger_level lighting location mood motivation_level music_playing noise_level pain_or_discomfort prior_activity relationship_closeness request_made scent season sobriety social_setting streak_state stress_level task_type temperature time_elapsed time_of_day weather workload'.split(
    ' ',
  )

const holds = (text: string, forms: readonly string[]) => forms.some((form) => fold(text).includes(fold(form)))
const share = <T>(list: readonly T[], of: (one: T) => boolean) => list.filter(of).length / list.length

describe.each(SEEDS)('conditional rows of seed %i', (seed) => {
  const rows = [...generateRows('conditional', 320, seed)]

  it('have one explicit rule sentence in an easy essay of 5 to 8', () => {
    for (const { id, easy, entity, cues } of rows) {
      const list = sentences(easy.essay)
      expect(list.length, id).toBeGreaterThanOrEqual(5)
      expect(list.length, id).toBeLessThanOrEqual(8)
      expect(
        list.filter((one) => one === easy.rule),
        id,
      ).toHaveLength(1)
      expect(easy.rule, id).toMatch(/\bonly\b|at no other time|exclusively/i)
      expect(
        list.filter((one) => one !== easy.rule && /\bonly\b|exclusively|at no other time/i.test(one)),
        id,
      ).toEqual([])
      expect(easy.rule).toContain(entity)
      expect(holds(easy.rule, cues.what), easy.rule).toBe(true)
      expect(holds(easy.rule, cues.condition), easy.rule).toBe(true)
    }
  })

  it('spread the rule over three sentences of a hard essay of 8 to 12, none next to another', () => {
    for (const { id, hard } of rows) {
      const list = sentences(hard.essay)
      expect(list.length, id).toBeGreaterThanOrEqual(8)
      expect(list.length, id).toBeLessThanOrEqual(12)
      const at = [hard.behavior, hard.condition, hard.link].map((one) => list.indexOf(one)).sort((a, b) => a - b)
      expect(at[0], hard.essay).toBeGreaterThanOrEqual(0)
      expect(at[1]! - at[0]!, id).toBeGreaterThan(1)
      expect(at[2]! - at[1]!, id).toBeGreaterThan(1)
      expect(hard.essay.match(CONNECTIVES)?.[0], hard.essay).toBeUndefined()
    }
  })

  it('tell behaviour and condition apart from each other', () => {
    for (const { cues, hard } of rows) {
      expect(holds(hard.behavior, cues.what), hard.behavior).toBe(true)
      expect(holds(hard.behavior, cues.condition), hard.behavior).toBe(false)
      expect(holds(hard.condition, cues.condition), hard.condition).toBe(true)
      expect(holds(hard.condition, cues.what), hard.condition).toBe(false)
      expect(holds(hard.link, cues.what) || holds(hard.link, cues.condition), hard.link).toBe(false)
    }
  })

  it('use all 32 types alike, and only observable ones for pets', () => {
    for (const type of TYPES) expect(rows.filter((row) => row.conditionType === type)).toHaveLength(10)
    for (const { category, conditionType } of rows) if (category === 'pet') expect(OBSERVABLE).toContain(conditionType)
    for (const category of ['pet', 'person', 'character'])
      expect(share(rows, (row) => row.category === category)).toBeGreaterThan(0.08)
  })

  it('are met half of the time, ten by ten', () => {
    for (let i = 0; i < rows.length; i += 10) {
      expect(rows.slice(i, i + 10).filter(({ answer }) => answer === 'yes')).toHaveLength(5)
    }
    for (const row of rows) expect(row.conditionMet).toBe(row.answer === 'yes')
  })

  it('often have a threshold, which is another one in the fourth damaged version', () => {
    const numeric = rows.filter(({ cues }) => cues.threshold)
    expect(numeric.length / rows.length).toBeGreaterThan(0.3)
    for (const { damaged, condition, cues } of rows) {
      expect(damaged).toHaveLength(5)
      expect(new Set(damaged).size).toBe(5)
      if (cues.threshold) expect(holds(damaged[3]!, [condition]), damaged[3]).toBe(false)
      else expect(damaged[3]).toContain(' sometimes ')
    }
  })

  it('ask about a number on the side of the threshold that the answer says', () => {
    const within = {
      below: (asked: number, value: number) => asked < value,
      before: (asked: number, value: number) => asked < value,
      'at-most': (asked: number, value: number) => asked <= value,
      above: (asked: number, value: number) => asked > value,
      after: (asked: number, value: number) => asked > value,
      'at-least': (asked: number, value: number) => asked >= value,
      exactly: (asked: number, value: number) => asked === value,
    }
    let checked = 0
    for (const { cues, provenance, conditionMet, question } of rows) {
      const { asked } = provenance!.spec
      if (typeof asked !== 'number' || !cues.threshold || cues.threshold.comparison === 'between') continue
      checked++
      expect(within[cues.threshold.comparison](asked, cues.threshold.value), question).toBe(conditionMet)
      expect(holds(question, [numberWords(asked), String(asked)]), question).toBe(true)
    }
    expect(checked).toBeGreaterThan(80)
  })

  it('name their five damaged versions in a fixed order', () => {
    for (const { damaged, entity, behavior, condition } of rows) {
      expect(damaged[0]).toBe(`${entity} ${behavior}.`)
      expect(holds(damaged[1]!, [condition])).toBe(false)
      expect(holds(damaged[4]!, [`only ${condition}`])).toBe(true)
      expect(damaged[4]!.startsWith(`${entity}'s `)).toBe(true)
    }
  })
})

describe.each(SEEDS)('coexisting rows of seed %i', (seed) => {
  const rows = [...generateRows('coexisting', 400, seed)]

  it('have two to five preferences, each number as often', () => {
    for (const size of [2, 3, 4, 5])
      expect(rows.filter(({ preferences }) => preferences.length === size)).toHaveLength(100)
  })

  it('never use a preference twice, nor one within another', () => {
    const names = rows.flatMap(({ preferences }) => preferences.map(({ name }) => fold(name)))
    expect(new Set(names).size).toBe(names.length)
    const all = `\n${names.join('\n')}\n`
    for (const name of names) expect(all.indexOf(name), name).toBe(all.lastIndexOf(name))
  })

  it('state every preference in the first person and none in the question', () => {
    for (const { preferences, question } of rows) {
      for (const { fact, name, forms, damaged } of preferences) {
        expect(fact).toMatch(/\b(?:I|me|my|My)\b/)
        expect(forms[0]).toBe(name)
        expect(fact).toContain(name)
        expect(holds(question, forms), question).toBe(false)
        expect(damaged).toHaveLength(3)
        expect(damaged[0]).not.toContain(name)
      }
    }
  })

  it('tie the preferences to a circumstance that no other row of the category has and that the question paraphrases', () => {
    const seen = new Set(rows.map(({ category, provenance }) => `${category}/${provenance!.spec.circumstance}`))
    expect(seen.size).toBe(rows.length)
    for (const { preferences, question, provenance } of rows) {
      const circumstance = fold(String(provenance!.spec.circumstance))
      for (const { fact } of preferences) expect(fold(fact)).toContain(circumstance)
      expect(fold(question)).not.toContain(circumstance)
    }
  })
})

describe.each(SEEDS)('persona rows of seed %i', (seed) => {
  const rows = [...generateRows('persona', 300, seed)]

  it('have 10 to 15 sentences, four to six of them details whose parts they state', () => {
    for (const { essay, details, entity } of rows) {
      const list = sentences(essay)
      expect(list.length).toBeGreaterThanOrEqual(10)
      expect(list.length).toBeLessThanOrEqual(15)
      expect(list[0]).toContain(entity)
      expect(details.length).toBeGreaterThanOrEqual(4)
      expect(details.length).toBeLessThanOrEqual(6)
      expect(new Set(details.map(({ id }) => id)).size).toBe(details.length)
      for (const { sentence, parts, damaged } of details) {
        expect(list).toContain(sentence)
        for (const forms of parts) expect(holds(sentence, forms), `${sentence} ${forms}`).toBe(true)
        for (const text of damaged) {
          expect(text).toContain(entity)
          expect(parts.every((forms) => holds(text, forms)) && damaged.indexOf(text) === 1, text).toBe(false)
        }
      }
    }
  })

  it('never share a first or a family name', () => {
    for (const part of [0, 1]) expect(new Set(rows.map(({ entity }) => entity.split(' ')[part])).size).toBe(rows.length)
  })

  it('ask half of their questions about people who are nowhere, a third of those with a near name', () => {
    const all = rows.map(({ essay }) => essay).join('\n')
    const misleading = rows.flatMap(({ entity, questions }) =>
      questions.flatMap((question) => (question.misleading ? [{ entity, question }] : [])),
    )
    expect(misleading).toHaveLength((rows.length * 3) / 2)
    const near = ({ entity, question }: (typeof misleading)[number]) =>
      entity.split(' ').some((part) => question.distractor.split(' ').includes(part))
    expect(misleading.filter(near)).toHaveLength(misleading.length / 3)
    for (const { question } of misleading) {
      expect(all).not.toContain(question.distractor)
      expect(question.text).toContain(question.distractor)
    }
    expect(new Set(misleading.map(({ question }) => question.distractor)).size).toBe(misleading.length)
  })

  it('answer the other questions from the details they need', () => {
    for (const { entity, details, questions } of rows) {
      for (const question of questions) {
        if (question.misleading) continue
        expect(question.text).toContain(entity)
        const needed = details.find(({ id }) => id === question.needs[0])!
        expect(needed.parts.some((forms) => holds(question.answer, forms))).toBe(true)
      }
    }
  })
})

describe.each(SEEDS.flatMap((seed) => [5, 10, 60, 61, 185].map((n) => [n, seed] as const)))(
  '%i chains of seed %i',
  (n, seed) => {
    const rows = [...generateRows('long-hop', n, seed)]
    const said = rows.map(({ facts }) => fold(facts.map(({ text }) => text).join('\n')))

    it('have each anchor in the facts that border it and nowhere else', () => {
      rows.forEach(({ anchors, facts, hops }, at) => {
        expect(facts).toHaveLength(hops + 1)
        expect(anchors).toHaveLength(hops + 2)
        anchors.forEach((anchor, i) => {
          const where = facts.flatMap(({ text }, fact) => (fold(text).includes(fold(anchor)) ? [fact] : []))
          expect(where, anchor).toEqual([i - 1, i].filter((fact) => fact >= 0 && fact <= hops))
          said.forEach((text, other) => {
            if (other !== at) expect(text.includes(fold(anchor)), anchor).toBe(false)
          })
        })
      })
    })

    it('state from, relation and to in every fact, and the name when there is one', () => {
      for (const { facts, voice, question } of rows) {
        for (const { text, from, relation, to, damaged } of facts) {
          for (const forms of [from, relation, to]) expect(holds(text, forms), `${text} ${forms}`).toBe(true)
          expect(damaged).toHaveLength(3)
        }
        const names = facts.map(({ text }) => new Set(text.match(/\p{Lu}\p{Ll}+/gu)))
        const shared = [...names[0]!].filter((name) => names.every((set) => set.has(name)) && question.includes(name))
        if (voice === 'named') expect(shared.length).toBeGreaterThan(0)
        else
          for (const { text } of facts) expect(words(text).some((word) => ['i', 'me', 'my'].includes(word))).toBe(true)
      }
    })

    it('name the head and no other anchor in the question', () => {
      for (const { anchors, question } of rows) {
        expect(fold(question)).toContain(fold(anchors[0]!))
        for (const anchor of anchors.slice(1)) expect(fold(question)).not.toContain(fold(anchor))
      }
    })

    it('offer five endings of chains of one family, each as often as any other', () => {
      const endings = new Map(rows.map(({ anchors, provenance }) => [anchors.at(-1)!, provenance!.spec.family]))
      const offered = new Map<string, number>()
      for (const { choices, answer, anchors } of rows) {
        expect(answer).toBe(anchors.at(-1))
        expect(new Set(choices).size).toBe(5)
        expect(choices).toContain(answer)
        for (const choice of choices) {
          expect(endings.get(choice)).toBe(endings.get(answer))
          offered.set(choice, (offered.get(choice) ?? 0) + 1)
        }
      }
      expect(new Set(offered.values())).toEqual(new Set([5]))
    })

    it('balance hops and letters', () => {
      for (const value of [0, 1, 2, 3, 4]) {
        for (const count of [
          rows.filter(({ hops }) => hops === value + 1).length,
          rows.filter(({ choices, answer }) => choices.indexOf(answer) === value).length,
        ]) {
          expect(Math.abs(count - n / 5)).toBeLessThan(1)
        }
      }
    })
  },
)
