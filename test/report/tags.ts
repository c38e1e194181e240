/** An element found in a page or XML file, with its attributes unescaped. */
export interface Tag {
  name: string
  attributes: Record<string, string>
  /** Names of the elements around it, outermost first. */
  within: string[]
}

const VOID = new Set(['meta', 'input', 'br', 'img', 'link'])
const RAW = new Set(['style', 'script'])

/**
 * Reads markup strictly: every element closed in order, every attribute quoted, no stray `<` or `&`. For tests, which must notice what a
 * lenient browser would forgive.
 *
 * @throws Error saying where the markup is broken
 */
export function readTags(text: string): Tag[] {
  const found: Tag[] = []
  const open: string[] = []
  let at = 0
  while (at < text.length) {
    const next = text.indexOf('<', at)
    checkText(text.slice(at, next < 0 ? text.length : next), at)
    if (next < 0) break
    const declaration = /^<(?:!DOCTYPE html|\?xml[^<>]*\?)>/.exec(text.slice(next, next + 100))
    if (declaration) {
      at = next + declaration[0].length
      continue
    }
    const end = text.indexOf('>', next)
    const inner = text.slice(next + 1, end)
    at = end + 1
    if (inner.startsWith('/')) {
      const name = open.pop()
      if (name !== inner.slice(1)) throw new Error(`At ${next}: </${inner.slice(1)}> closes <${name}>`)
      continue
    }
    const parts = /^([A-Za-z][\w-]*)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*(\/?)$/.exec(inner)
    if (!parts) throw new Error(`At ${next}: not a tag: <${inner.slice(0, 200)}>`)
    const name = parts[1]!
    const attributes: Record<string, string> = {}
    for (const [, key, value] of parts[2]!.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)) {
      checkText(value ?? '', next)
      attributes[key!] = unescaped(value ?? '')
    }
    found.push({ name, attributes, within: [...open] })
    if (parts[3] === '/' || VOID.has(name)) continue
    if (RAW.has(name)) at = text.indexOf(`</${name}>`, at)
    open.push(name)
  }
  if (open.length > 0) throw new Error(`Left open: ${open.join(' > ')}`)
  return found
}

function checkText(text: string, at: number): void {
  const stray = /&(?!(?:amp|lt|gt|quot|#39);)/.exec(text)
  if (stray) throw new Error(`At ${at + stray.index}: stray & in "${text.slice(stray.index, stray.index + 40)}"`)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being looked for
  const unfit = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/.exec(text)
  if (unfit) throw new Error(`At ${at + unfit.index}: a character that no document may hold`)
}

function unescaped(text: string): string {
  const signs: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => signs[name]!)
}
