import { UserError } from '../../base/errors.js'
import { readJson } from '../read-files.js'
import { Audit, type AuditEntry, type LocomoQuestion, type ReleasedChat } from './schema.js'

/** What becomes of a question that the audit found wrong. */
export interface MendedQuestion {
  action: 'replaced' | 'regraded' | 'dropped'
  why: string
  answer?: string
  evidence?: string[]
}

/** The right answer says that the question cannot be asked like this, or that nothing settles it. */
const NO_ANSWER = new RegExp(
  `\\b(?:${[
    "cannot|can't be|unknown|unclear|uncertain|contradictory|unspecified|does not|did not|do not|has not|not support",
    'no (?:data|comparable)|never (?:named|discusses)|question (?:says|should|states)|rather than',
  ].join('|')})\\b|[(,;] ?(?:not|but) `,
  'i',
)

/**
 * What the public audit makes of a question: a wrong citation has its evidence replaced; a wrong answer is regraded, and where the list of
 * evidence is another, that is replaced as well; what has no answer, for it asks of the wrong person or day or the chat contradicts itself,
 * is dropped.
 *
 * @example readAudit(file, chats).get('locomo_0_qa1') // { action: 'replaced', evidence: ['D1:14'], … }
 */
export function readAudit(file: string, chats: readonly ReleasedChat[]): ReadonlyMap<string, MendedQuestion> {
  return new Map(
    readJson(file, Audit).map((entry) => {
      const asked = questionOf(entry, chats)
      if (asked?.question !== entry.question)
        throw new UserError(
          `${file}: ${entry.question_id} is not a question of this release.`,
          'Is the audit of this release?',
        )
      return [entry.question_id, mended(entry, asked)]
    }),
  )
}

function questionOf({ question_id: id }: AuditEntry, chats: readonly ReleasedChat[]): LocomoQuestion | undefined {
  const [, chat, question] = /^locomo_(\d+)_qa(\d+)$/.exec(id) ?? []
  return chats[Number(chat)]?.qa[Number(question)]
}

function mended(entry: AuditEntry, { evidence: cited }: LocomoQuestion): MendedQuestion {
  const { error_type: type, correct_evidence: evidence } = entry
  const kind = type.toLowerCase().replaceAll('_', ' ')
  const cites = evidence.join() === cited.join() ? {} : { evidence }
  const listed =
    evidence.join() === cited.join()
      ? ''
      : `, and ${cited.join(', ')} is replaced by ${evidence.join(', ') || 'nothing'}`
  const answer = String(entry.correct_answer)
  if (type === 'WRONG_CITATION')
    return { action: 'replaced', why: `${kind}: ${cited.join(', ')} is replaced by ${evidence.join(', ')}`, evidence }
  if (type === 'AMBIGUOUS' || evidence.length === 0 || NO_ANSWER.test(answer))
    return { action: 'dropped', why: `${kind}: dropped, for ${answer}` }
  const plain = answer.replace(/\s*\([^()]*\)/g, '').trim()
  return {
    action: 'regraded',
    why: `${kind}: regraded, "${plain}" for "${entry.golden_answer}"${listed}`,
    answer: plain,
    ...cites,
  }
}
