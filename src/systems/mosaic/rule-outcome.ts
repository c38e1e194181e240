import { fold, sentences } from '../../base/text.js'
import { clausesIn } from './cues.js'
import type { SaidNote } from './note.js'

/** What leads up to a statement: "One more thing: ". */
const LEAD = /^(?:[\p{L}',-]+ ){0,6}[\p{L}']+: /u
const FEWEST = 2

/**
 * What a rule says would come about, as it is put, without what has to come about for it; null where that cannot be told apart.
 *
 * @example ruleOutcome(noteOf({ id: 'a', text: 'If I move to Leeds, we row from Dock 9.' })) // 'we row from Dock 9'
 */
export function ruleOutcome({ memory, cues, isGiven }: Pick<SaidNote, 'memory' | 'cues' | 'isGiven'>): string | null {
  if (isGiven) return cues.about && cues.value ? `${cues.about}: ${cues.value}` : null
  for (const sentence of sentences(memory.text)) {
    const folded = fold(sentence)
    const condition = clausesIn(folded).find(({ isCondition }) => isCondition)
    if (!condition || folded.endsWith('?')) continue
    const said = folded.length === sentence.length ? sentence : folded
    const before = said.slice(0, condition.from).replace(LEAD, '')
    const outcome = `${before}${said.slice(condition.to)}`.replace(/^[\s,;]+(?:then )?|[\s,;.!]+$/g, '')
    return outcome.split(/\s+/).length >= FEWEST ? outcome : null
  }
  return null
}
