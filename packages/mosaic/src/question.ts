import { fold } from 'memscope/retrieval'
import { SELF } from './note.js'

/** What a question asks for, as far as that changes what is looked for. */
export interface QuestionKind {
  /** Somebody asks about themselves. */
  isOwn: boolean
  /** It asks for what was said in reply. */
  wantsReply: boolean
  /** It asks for an overview. */
  wantsSeveral: boolean
  /** It asks how much or how many: what many entries come to. */
  wantsTotal: boolean
}

/** Speaks of a reply that was given; who asks for a new one ("what would you suggest?") wants what they told. */
const REPLIED =
  /\b(?:you (?:said|told|gave|suggested|recommended|advised|explained)|did you (?:say|tell|give|suggest|recommend|advise|explain)|(?:was|were) your)\b/
const SEVERAL = /\b(?:all|everything|each|every|both|several|list|overview|summary|summari[sz]e|describe)\b/
const TOTAL = /\b(?:how (?:many|much|often)|total|sum|average|altogether|combined|overall)\b/

/** Reads what a question asks for. */
export function readQuestion(question: string): QuestionKind {
  const asked = fold(question)
  const wantsReply = REPLIED.test(asked)
  return {
    isOwn: SELF.test(asked) && !wantsReply,
    wantsReply,
    wantsSeveral: SEVERAL.test(asked),
    wantsTotal: TOTAL.test(asked),
  }
}
