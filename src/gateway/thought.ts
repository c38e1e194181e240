import { parseJson } from './json.js'

const OPEN = String.raw`(?:<think(?:ing)?>|\[THINK\])`
const CLOSE = String.raw`(?:<\/think(?:ing)?>|\[\/THINK\])`

const ANY = new RegExp(`${OPEN}|${CLOSE}`, 'i')
const OPENING = new RegExp(OPEN, 'gi')
const CLOSING = new RegExp(CLOSE, 'gi')
/** The opening of a thought was in the prompt, so only its end is in the reply. */
const ENDED = new RegExp(`^[\\s\\S]*${CLOSE}`, 'i')
/** A thought that was cut off. In the middle of a line the mark is only spoken of. */
const CUT_OFF = new RegExp(`^[ \\t]*${OPEN}[\\s\\S]*`, 'im')

/** Channels of gpt-oss behind servers that do not read them: only the last one is meant to be read. */
const CHANNELS = /<\|channel\|>/
const FINAL = /<\|channel\|>final[^<]*<\|message\|>([\s\S]*?)(?:<\|(?:end|return|start)\|>|$)/

/** What a model says without what it thinks aloud (`<think>…</think>`). JSON stays as it is: a mark inside of one of its strings is quoted. */
export function withoutThought(text: string): string {
  const isChannelled = CHANNELS.test(text)
  if ((!isChannelled && !ANY.test(text)) || parseJson(text) !== undefined) return text
  if (isChannelled) return (FINAL.exec(text)?.[1] ?? '').trim()
  return withoutWhole(text).replace(ENDED, '').replace(CUT_OFF, '').trim()
}

/** The text without thoughts that have begin and end. One after the other: a pattern for both would look for the end anew at every beginning. */
function withoutWhole(text: string): string {
  let said = ''
  let from = 0
  for (;;) {
    OPENING.lastIndex = from
    const opening = OPENING.exec(text)
    CLOSING.lastIndex = OPENING.lastIndex
    const closing = opening && CLOSING.exec(text)
    if (!opening || !closing) return said + text.slice(from)
    said += text.slice(from, opening.index)
    from = CLOSING.lastIndex
  }
}
