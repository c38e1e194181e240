import { fold } from '../../base/text.js'
import type { DomainData } from './graph.js'
import type { EpisodeFinding } from './validate.js'

/** Words that would turn a plain value into a missing, doubtful or deleted one. */
const MISSING = ['none', 'no', 'not', 'nothing', 'null', 'nil', 'nobody', 'nowhere', 'without', 'freelance']
const DOUBT = ['maybe', 'perhaps', 'possibly', 'probably', 'unsure', 'uncertain', 'unknown', 'might', 'unclear']
const DELETION = ['forget', 'forgotten', 'delete', 'deleted', 'erase', 'erased', 'remove', 'removed', 'cancelled']

/** Every sentence that gives an entity a value also says which entity it is about, by one of its cues. */
export function cueFindings(data: DomainData): EpisodeFinding[] {
  const found: EpisodeFinding[] = []
  const cues = new Map(data.entities.map((each) => [each.id, each.cues.map(fold)]))
  const bind = (path: string, id: string, list: readonly string[] | undefined) => {
    list?.forEach((text, i) => {
      const plain = fold(text)
      if (cues.get(id)?.some((cue) => standsIn(cue, plain))) return
      found.push({ path: `${path}[${i}]`, why: `No cue of ${id} is in "${text}".` })
    })
  }
  for (const { id, facts, updates } of data.entities) {
    bind(`entities.${id}.facts`, id, facts)
    bind(`entities.${id}.updates`, id, updates)
  }
  for (const { source, target, rules, conditioned } of data.edges) {
    bind(`edges.${source}->${target}.rules`, target, rules)
    bind(`edges.${source}->${target}.conditioned`, target, conditioned)
  }
  for (const name of ['parents', 'changes', 'considered'] as const) {
    for (const [id, list] of Object.entries(data[name])) bind(`${name}.${id}`, id, list)
  }
  for (const [id, { announce, takeBack }] of Object.entries(data.revoked)) {
    bind(`revoked.${id}.announce`, id, announce)
    bind(`revoked.${id}.takeBack`, id, takeBack)
  }
  data.triples.forEach(({ entities, questions }, t) => {
    const labels = data.entities.filter(({ id }) => entities.includes(id)).map(({ label }) => fold(label))
    questions.forEach((text, i) => {
      const named = labels.find((label) => standsIn(label, fold(text)))
      if (named) found.push({ path: `triples[${t}].questions[${i}]`, why: `It names the entity "${named}".` })
    })
  })
  return found
}

/** Values that cannot be told apart from each other or from the sentences around them, and values that are no plain value. */
export function valueFindings(data: DomainData): EpisodeFinding[] {
  const found: EpisodeFinding[] = []
  const values = data.entities.flatMap(({ id, exact, values }) =>
    values.map(({ text, forms = [] }, i) => ({
      path: `entities.${id}.values[${i}]`,
      exact,
      text,
      all: [text, ...forms].map(fold),
    })),
  )
  const phrases = phrasesOf(data)
  for (const value of values) {
    const words = new Set(fold(value.text).match(/[\p{L}\p{N}]+/gu))
    const banned = value.exact ? [...DOUBT, ...DELETION] : [...MISSING, ...DOUBT, ...DELETION]
    for (const word of banned.filter((each) => words.has(each))) {
      found.push({ path: value.path, why: `"${value.text}" contains "${word}".` })
    }
    for (const form of value.all) {
      if (/^\p{Ll}+$/u.test(form) && !/\p{Lu}/u.test(value.text)) {
        found.push({ path: value.path, why: `"${form}" is a single common word; any text may contain it.` })
      }
      for (const other of values) {
        const where = other !== value && other.all.find((each) => standsIn(form, each))
        if (where) found.push({ path: value.path, why: `"${form}" stands in "${where}" (${other.path}).` })
      }
      for (const { path, text } of phrases) {
        if (standsIn(form, text)) found.push({ path: value.path, why: `"${form}" stands in "${text}" (${path}).` })
      }
    }
  }
  return found
}

/** Whether a folded text contains a folded part between word boundaries. */
export function standsIn(part: string, text: string): boolean {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const open = !isWord(part[0]) || !isWord(text[at - 1])
    const close = !isWord(part.at(-1)) || !isWord(text[at + part.length])
    if (open && close) return true
  }
  return false
}

function isWord(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}]/u.test(letter)
}

/** All text of a domain that is not a value, folded, with its place. */
function phrasesOf(data: DomainData): { path: string; text: string }[] {
  const found: { path: string; text: string }[] = []
  const walk = (path: string, part: unknown): void => {
    if (typeof part === 'string') found.push({ path, text: fold(part) })
    else if (Array.isArray(part)) for (const [i, each] of part.entries()) walk(`${path}[${i}]`, each)
    else if (part) for (const [key, each] of Object.entries(part)) walk(`${path}.${key}`, each)
  }
  for (const { id, label, plural, cues, facts, questions, tracking, updates } of data.entities) {
    walk(`entities.${id}`, { label, plural, cues, facts, questions, tracking, updates })
  }
  for (const { source, target, rules, conditioned } of data.edges) {
    walk(`edges.${source}->${target}`, { rules, conditioned })
  }
  const { clauses, implicit, parents, changes, considered, revoked, deletions, deletionsBlind } = data
  walk('domain', { clauses, implicit, parents, changes, considered, revoked, deletions, deletionsBlind })
  for (const [i, { questions }] of data.triples.entries()) walk(`triples[${i}]`, { questions })
  return found
}
