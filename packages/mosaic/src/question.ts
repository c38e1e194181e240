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

const REPLIED =
  /\b(?:you|your) (?:say|said|tell|told|suggest|suggested|recommend|recommended|advise|advised|explain|explained|advice|answer|reply|suggestions?|recommendations?)\b/
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
