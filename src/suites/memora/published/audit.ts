import type { AuditNote, Criterion } from '../../../model/index.js'
import { ids } from '../questions/asking.js'
import { fieldName } from '../wording.js'
import { mended } from './figures.js'
import { type ImportedLife, unsaidEvents } from './imported.js'
import type { Asked, SessionReading } from './reading.js'
import type { Topic } from './topic.js'

/** A criterion in our shape, with what it asks for. */
export interface Built {
  criterion: Criterion
  asked: readonly Asked[]
}

/** Something that was found wrong with a criterion. */
export type AuditFinding = Pick<AuditNote, 'action' | 'why'> & { criterion: string }

/** Criteria exactly as published. */
export function asReleased(readings: readonly SessionReading[]): Built[] {
  return readings.map(({ criterion, type, asked, avoid, understood }) => {
    const { evaluation_question_id: id, evaluation_question: text, expected_answer: expected } = criterion
    const asks = avoid && !understood && { asks: { act: 'avoid' as const, forms: [avoidedIn(text)] } }
    return built(id, asked, { text, type, expected, ...asks })
  })
}

/** What a criterion wants left out, as it is worded: what follows, up to a remark or the end. */
function avoidedIn(text: string): string {
  return text.replace(/^.*\bavoid\w*\s+(?:\w+ing\s+)?/i, '').replace(/\s*(?:\([^()]*\))?\?*$/, '')
}

/** Criteria put right, one thing each and each once, with a note on everything that was changed. */
export function audited(
  life: ImportedLife,
  topic: Topic,
  readings: readonly SessionReading[],
): { criteria: Built[]; findings: AuditFinding[] } {
  const findings: AuditFinding[] = []
  const kept: Built[] = []
  const seen = new Set<string>()
  const clashing = contradictions(readings)
  const unsaid = topic.of === 'calendar' ? unsaidEvents(life) : new Set<string>()
  for (const reading of readings) {
    const { criterion, asked, type, avoid } = reading
    const id = criterion.evaluation_question_id
    const note = (action: AuditNote['action'], why: string) => findings.push({ criterion: id, action, why })
    const label = asked.map((one) => one.label).join(', ')
    if (!reading.understood) note('dropped', 'What is asked for cannot be told, so that it could not be checked.')
    else if (asked.some(({ name }) => clashing.has(name))) note('dropped', `"${label}" must be there, and must not.`)
    else if (asked.some((one) => unsaid.has(one.label)))
      note('dropped', `"${label}" was moved to a day that nobody said.`)
    else if (!reading.agrees)
      note('dropped', `The state that follows from the operations says otherwise of "${label}".`)
    else if (asked.length === 1 && seen.has(`${type} ${asked[0]!.name}`))
      note('dropped', `"${label}" is asked for already.`)
    else {
      for (const { name } of asked) seen.add(`${type} ${name}`)
      if (avoid) note('repaired', `To leave "${label}" out is no presence: silence does it too.`)
      if (asked.length > 1) note('repaired', `${asked.length} things are asked for at once.`)
      const right = mended(life, topic, reading)
      if (right?.why) note('repaired', right.why)
      if (right) kept.push(built(id, asked, { text: right.text, type, expected: 'yes', asks: right.asks }))
      else if (asked.length > 1) kept.push(...split(id, asked))
      else {
        const { evaluation_question: text, expected_answer: expected } = criterion
        kept.push(built(id, asked, { text, type: avoid ? 'forgetting' : type, expected }))
      }
    }
  }
  return { criteria: kept, findings }
}

/** Things that an answer must put forward and must not. */
export function contradictions(readings: readonly SessionReading[]): Set<string> {
  const of = (type: SessionReading['type']) =>
    new Set(
      readings.filter((one) => one.type === type && !one.avoid).flatMap(({ asked }) => asked.map(({ name }) => name)),
    )
  const forgetting = of('forgetting')
  return new Set([...of('presence')].filter((name) => forgetting.has(name)))
}

function split(id: string, asked: readonly Asked[]): Built[] {
  return asked.map((one, at) => {
    const [field = ''] = one.name.split(':')
    const text = `Does the answer give "${one.label}" among the ${fieldName(field)}?`
    return built(`${id}.${at + 1}`, [one], { text, type: 'presence', expected: 'yes' })
  })
}

type Worded = Pick<Criterion, 'text' | 'type' | 'expected' | 'asks'>

function built(id: string, asked: readonly Asked[], { asks, ...worded }: Worded): Built {
  const wanted = asks ?? (asked.length === 1 ? asked[0]!.asks : undefined)
  const facts = ids(asked.flatMap(({ told }) => told))
  return { asked, criterion: { id, ...worded, facts, ...(wanted && { asks: wanted }) } }
}
