import { readFileSync } from 'node:fs'
import { OUTCOMES } from '../model/index.js'
import { DARK, LIGHT, type Palette } from './charts/palette.js'

// In this order: what stands later wins.
const SHEETS = ['page', 'charts', 'questions', 'media']

let sheet: string | undefined

/** The style sheet of the HTML report: colours for light, dark and print, then the rules of `styles/`. */
export function theme(): string {
  sheet ??= SHEETS.map((name) => readFileSync(new URL(`./styles/${name}.css`, import.meta.url), 'utf8')).join('')
  return `:root{color-scheme:light dark;${variables(LIGHT)}}
@media screen and (prefers-color-scheme:dark){:root{${variables(DARK)}}}
${rules()}
${sheet}`
}

/** The style sheet of the viewer: the same colours, which follow the system unless somebody chose, and rules of its own. */
export function viewerStyles(own: string): string {
  return `:root{color-scheme:light dark;${variables(LIGHT)}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){${variables(DARK)}}}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark;${variables(DARK)}}
${rules()}
${readFileSync(new URL('./styles/charts.css', import.meta.url), 'utf8')}
${own}`
}

function variables(palette: Palette): string {
  const { paper, raised, ink, soft, rule, link, mark } = palette
  const names: [string, string][] = Object.entries({ paper, raised, ink, soft, rule, link, mark })
  for (const outcome of OUTCOMES) {
    const { fill, line, ink } = palette.outcomes[outcome]
    names.push([`f-${outcome}`, fill], [`l-${outcome}`, line], [`i-${outcome}`, ink])
  }
  for (const [at, colour] of palette.series.entries()) names.push([`s${at}`, colour])
  return names.map(([name, value]) => `--${name}:${value}`).join(';')
}

// The same hatching in HTML bars as in SVG patterns: told apart by direction and not by colour alone.
const HATCH: Record<string, string> = {
  not_stored: '135deg,transparent 0 3px,var(--l-not_stored) 3px 4.2px',
  summary_error: '0deg,transparent 0 4px,var(--l-summary_error) 4px 5.2px',
  not_retrieved: '45deg,transparent 0 3px,var(--l-not_retrieved) 3px 4.2px',
  unavailable: '0deg,transparent 0 2px,var(--l-unavailable) 2px 3.2px',
  stale_memory: '90deg,transparent 0 4px,var(--l-stale_memory) 4px 5.2px',
  stale_answer: '90deg,transparent 0 3px,var(--l-stale_answer) 3px 4.2px',
  reasoning_error: '90deg,transparent 0 2px,var(--l-reasoning_error) 2px 3.2px',
  error: '135deg,transparent 0 1.6px,var(--l-error) 1.6px 2.8px',
}

function rules(): string {
  const outcomes = OUTCOMES.map((outcome) => {
    const hatch = HATCH[outcome]
      ? `.mix .o-${outcome}{background-image:repeating-linear-gradient(${HATCH[outcome]})}`
      : ''
    const filter = `section:has(#only-${outcome}:checked) .q:not(.o-${outcome}){display:none}`
    return `.fill-${outcome}{fill:var(--f-${outcome})}.line-${outcome}{stroke:var(--l-${outcome})}.ink-${outcome}{fill:var(--i-${outcome})}
i.o-${outcome},.tag.o-${outcome}{background-color:var(--f-${outcome});color:var(--i-${outcome})}${hatch}
${filter}`
  })
  const series = LIGHT.series.map(
    (_, at) => `.line.s${at},.whisker.s${at}{stroke:var(--s${at})}.dot.s${at},.name.s${at}{fill:var(--s${at})}`,
  )
  return [...outcomes, ...series].join('\n')
}
