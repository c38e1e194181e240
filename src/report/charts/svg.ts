import { escapeHtml } from '../escape.js'

/** Attributes of an element; numbers are written to a tenth, missing ones are left out. */
export type Attributes = Record<string, string | number | undefined>

/** One SVG element. Texts among its children must be escaped already. */
export function svgElement(name: string, attributes: Attributes, children = ''): string {
  let text = `<${name}`
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined)
      text += ` ${key}="${typeof value === 'number' ? writtenToTenth(value) : escapeHtml(value)}"`
  }
  return children === '' ? `${text}/>` : `${text}>${children}</${name}>`
}

/** A text element with its words escaped. */
export function svgText(x: number, y: number, words: string, attributes: Attributes = {}): string {
  return svgElement('text', { x, y, ...attributes }, escapeHtml(words) || ' ')
}

/** A whole picture that a screen reader announces by title and description. `id` must be unique on the page. */
export function svgPicture(
  options: { id: string; title: string; desc: string; width: number; height: number; class?: string },
  body: string,
): string {
  const { id, title, desc, width, height } = options
  return svgElement(
    'svg',
    {
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-labelledby': `${id}-t ${id}-d`,
      class: options.class,
      width,
      height,
    },
    `<title id="${escapeHtml(id)}-t">${escapeHtml(title)}</title><desc id="${escapeHtml(id)}-d">${escapeHtml(desc)}</desc>${body}`,
  )
}

/** A number without a needless tail. */
export function writtenToTenth(value: number): string {
  return String(Math.round(value * 10) / 10)
}
