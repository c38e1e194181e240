import { escapeHtml } from '../escape.js'

/** Attributes of an element; numbers are written to a tenth, missing ones are left out. */
export type Attributes = Record<string, string | number | undefined>

/** One SVG element. Texts among its children must be escaped already. */
export function element(name: string, attributes: Attributes, children = ''): string {
  let text = `<${name}`
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined) text += ` ${key}="${typeof value === 'number' ? tenth(value) : escapeHtml(value)}"`
  }
  return children === '' ? `${text}/>` : `${text}>${children}</${name}>`
}

/** A text element with its words escaped. */
export function label(x: number, y: number, words: string, attributes: Attributes = {}): string {
  return element('text', { x, y, ...attributes }, escapeHtml(words) || ' ')
}

/** A whole picture that a screen reader announces by title and description. `id` must be unique on the page. */
export function picture(
  options: { id: string; title: string; desc: string; width: number; height: number; class?: string },
  body: string,
): string {
  const { id, title, desc, width, height } = options
  return element(
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
export function tenth(value: number): string {
  return String(Math.round(value * 10) / 10)
}
