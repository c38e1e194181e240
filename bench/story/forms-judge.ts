import { fold, sentences } from '../../src/base/text.js'
import type { Fact, FactVerdict, Memory } from '../../src/model/index.js'

const EXCLUSIVE = /\b(?:only|unless|except|not unless|nothing but)\b/

/**
 * Judges the story by the forms of its facts alone: kept where one sentence has a form of every part, damaged where one has some of what tells it
 * from others. What a system does is then tested apart from how well a judge reads.
 */
export function judgeByForms(facts: readonly Fact[], store: readonly Memory[]): FactVerdict[] {
  return facts.map(({ id, cues: { parts, exclusive } }) => {
    const telling = parts.filter(({ role }) => role !== 'who')
    const has = (text: string, forms: readonly string[]) => forms.some((form) => isIn(fold(form), text))
    const found = store.map((memory) => {
      const held = sentences(memory.text).map((sentence) => {
        const text = fold(sentence)
        const own = telling.filter(({ forms }) => has(text, forms))
        const whole = own.length === telling.length && (!exclusive || EXCLUSIVE.test(text))
        return { whole, partly: own.some(({ role }) => role === 'what') || own.length > telling.length / 2 }
      })
      return { memory, whole: held.some(({ whole }) => whole), partly: held.some(({ partly }) => partly) }
    })
    const kept = found.filter(({ whole }) => whole)
    const support = (kept.length > 0 ? kept : found.filter(({ partly }) => partly)).map(({ memory }) => [memory.id])
    const label = kept.length > 0 ? 'correct' : support.length > 0 ? 'summary_error' : 'not_stored'
    return { fact: id, label, uncertain: false, support, reason: 'By its forms.', quotes: [] }
  })
}

function isIn(form: string, text: string): boolean {
  const at = ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ')} `.indexOf(` ${form.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `)
  return at >= 0
}
