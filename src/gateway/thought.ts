const OPEN = String.raw`(?:<think(?:ing)?>|\[THINK\])`
const CLOSE = String.raw`(?:<\/think(?:ing)?>|\[\/THINK\])`

const ANY = new RegExp(`${OPEN}|${CLOSE}`, 'i')
const WHOLE = new RegExp(`${OPEN}[\\s\\S]*?${CLOSE}`, 'gi')
/** The opening of a thought was in the prompt, so only its end is in the reply. */
const ENDED = new RegExp(`^[\\s\\S]*${CLOSE}`, 'i')
/** A thought that was cut off. In the middle of a line the mark is only spoken of. */
const CUT_OFF = new RegExp(`^[ \\t]*${OPEN}[\\s\\S]*`, 'im')

/**
 * What a model says, without what it thinks aloud: `<think>…</think>`, as servers without a parser for it pass it on. Text without a thought
 * stays as it is, and so does JSON: a mark inside of one of its strings is quoted.
 *
 * @example withoutThought('<think>Is it A? No.</think>\n\nB') // 'B'
 */
export function withoutThought(text: string): string {
  if (!ANY.test(text) || isJson(text)) return text
  return text.replace(WHOLE, '').replace(ENDED, '').replace(CUT_OFF, '').trim()
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
