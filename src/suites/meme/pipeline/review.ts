import type { ReviewRow } from '../../../model/index.js'
import { filesIn, RELEASE_FILES, readRelease } from '../published/read.js'

/** Episodes of a folder for people to look over: the sessions with evidence, and what is said and asked. */
export async function reviewEpisodes(folder: string): Promise<ReviewRow[]> {
  return filesIn(folder).full.flatMap((name) =>
    readRelease(folder, RELEASE_FILES[name]).episodes.map(({ skeleton, facts, after, told }) => ({
      id: skeleton.episode_id,
      stratum: skeleton.domain,
      text: (told?.sessions ?? [])
        .filter(({ type }) => type === 'evidence')
        .map(({ timestamp, conversation }) =>
          [timestamp, ...conversation.map(({ role, content }) => `${role}: ${content}`)].join('\n'),
        )
        .join('\n\n'),
      claim: [
        ...facts.map(({ entity, value, kind }) => `${kind}: ${entity} = ${value}`),
        ...after.map(({ question, gold_answer }) => `${question} → ${gold_answer ?? ''}`),
      ].join('\n'),
    })),
  )
}
