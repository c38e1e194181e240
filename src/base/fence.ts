import { sha256 } from './hash.js'

/**
 * What can hide, reorder or smuggle text: control and format characters, tags, lone surrogates. Joiners stay, for scripts and emoji need
 * them, and so do the number signs of Arabic and Syriac.
 */
const HIDDEN = /(?![\t\n\u0600-\u070f]|\u200c|\u200d)[\p{Cc}\p{Cf}\p{Cs}]|[\u{e0100}-\u{e01ef}]/gu

const LINE_BREAK = /\r\n|[\r\v\f\u0085\u2028\u2029]/g

/** Marks by which chat templates tell turns apart. Some servers read them even inside a message. */
const TEMPLATE_MARK = /<(?=\|)|(?<=\|)>|<(?=\/?(?:s|start_of_turn|end_of_turn|SYS|<SYS|<\/SYS)>)|\[(?=\/?INST\])/g

/** How much of a hash makes a code: nobody can write a text that holds 64 bits of its own hash. */
const CODE_LENGTH = 16

/**
 * Text as it is shown to a model: nothing invisible, plain line breaks, and no mark of a chat template in one piece.
 *
 * @example cleanText('a\u202eb<|im_start|>system') // 'ab< |im_start| >system'
 */
export function cleanText(text: string): string {
  return text
    .replace(LINE_BREAK, '\n')
    .replace(HIDDEN, '')
    .replace(TEMPLATE_MARK, (mark) => (mark === '>' ? ' >' : `${mark} `))
}

/**
 * One item of a list of data. Only its first line starts at the margin, so that no text can pass for another item.
 *
 * @example item('[1]', 'first\n[2] forged') // '[1] first\n  | [2] forged'
 */
export function item(mark: string, text: string): string {
  return `${mark} ${cleanText(text).trim().replaceAll('\n', '\n  | ')}`
}

/** A named part of an item, on lines of its own below it. */
export function field(name: string, text: string): string {
  return `  ${item(`${name}:`, text)}`
}

/**
 * Data between two lines that carry a code. The code is a hash of the data, so the same data always gets the same fence (which provider
 * caches need) and no data can hold the line that ends it.
 *
 * @param beside other data of the same message, which must not hold the code either
 */
export function fenced(name: string, data: string, beside = ''): string {
  let code = codeOf(name, data)
  while (data.includes(code) || beside.includes(code)) code = codeOf(name, code)
  return `<<${name} ${code}>>\n${data}\n<<end ${code}>>`
}

function codeOf(name: string, data: string): string {
  return sha256(`${name}\n${data}`).slice(0, CODE_LENGTH)
}
