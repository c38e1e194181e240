import type { CoexistingRow, ConditionalRow, LongHopRow, PersonaRow } from '../../../corpora/memfail/schema.js'
import { coexistingRow } from './coexisting.js'
import { longHopRows } from './long-hop.js'
import { personaRow } from './persona.js'

const tasks = { coexisting: coexistingRow, persona: personaRow }
export function* generateRows(
  task: string,
  n: number,
  seed: number,
): Generator<CoexistingRow | ConditionalRow | LongHopRow | PersonaRow> {
  if (task === 'long-hop') yield* longHopRows(n, seed)
  else for (let i = 0; i < n; i++) yield (task === 'persona' ? personaRow : coexistingRow)(i, seed)
  void tasks
}
