import { words } from '../../base/text.js'
import type { Rehearsal } from '../../model/index.js'
import { bulletsIn, dataIn, itemsIn, userSentences } from '../parts/index.js'

/** Facts that a model finds in one conversation at most. */
const MOST = 8
/** Characters of a summary. */
const SUMMARY = 400

/** Takes every sentence of the user for a fact between the user and its longest word; nothing is the same, nothing contradicted. */
export const graphitiRehearsal: Rehearsal = ({ step, prompt }) => {
  const data = dataIn(prompt)
  switch (step) {
    case 'entities': {
      const names = [...new Set(factsIn(data.conversation).map(({ about }) => about))]
      return { json: { entities: ['User', ...names].map((name) => ({ name })) } }
    }
    case 'resolve':
      return { json: { resolutions: bulletsIn(data.names).map((name) => ({ name, same_as: -1 })) } }
    case 'edges': {
      const [, time = null] = /took place at (\S+)\. /.exec(prompt) ?? []
      const edges = factsIn(data.conversation).map(({ about, fact }) => ({
        source: 'User',
        target: about,
        relation: 'TALKS_OF',
        fact,
        valid_at: time,
        invalid_at: null,
      }))
      return { json: { edges } }
    }
    case 'compare':
      return { json: { duplicates: [], contradicted: [] } }
    default: {
      const known = itemsIn(data.entities).filter(({ mark }) => mark === '')
      const summaryOf = (text: string) => text.replace(/^\s*known: /, '').slice(-SUMMARY)
      return { json: { summaries: known.map(({ text }, number) => ({ number, summary: summaryOf(text) })) } }
    }
  }
}

function factsIn(conversation: string | undefined): { about: string; fact: string }[] {
  return userSentences(conversation)
    .slice(0, MOST)
    .flatMap((fact) => {
      const [about] = words(fact).sort((a, b) => b.length - a.length)
      return about ? [{ about: about.slice(0, 60), fact }] : []
    })
}
