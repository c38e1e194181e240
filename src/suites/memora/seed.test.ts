import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DOCUMENT_FIELDS, DOCUMENT_KINDS, PERSONAS, readSeed, SUBCATEGORIES } from './seed.js'
import { checkSeed } from './seed-check.js'
import { talkData } from './talk/data.js'
import { TASTES } from './trace.js'

const seed = readSeed()

/** Findings in a changed copy of the seed, as `rule where`. */
function findingsOf(change: (copy: typeof seed) => void): string[] {
  const copy = structuredClone(seed)
  change(copy)
  return checkSeed(copy).map(({ rule, where }) => `${rule} ${where}`)
}

describe('the seed data', () => {
  it('has no finding', () => {
    expect(checkSeed(seed)).toEqual([])
  })

  it('has no file that no schema is for', () => {
    const read = ['personas', 'todos', 'calendar', 'activities']
    const files = [
      ...read,
      ...TASTES.map((domain) => `preferences/${domain}`),
      ...PERSONAS.map((id) => `documents/${id}`),
      ...Object.keys(talkData()).map((name) => `talk/${name}`),
    ]
    const folder = new URL('../../corpora/memora/', import.meta.url)
    const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    expect(found.map((name) => name.replaceAll('\\', '/')).sort()).toEqual(files.map((name) => `${name}.json`).sort())
  })

  it('has no day in a document that may be over when it is written', () => {
    const early = /\b\d{1,2} (?:January|February|March|April|May|June|July|August)\b/
    const days = PERSONAS.flatMap((id) => [
      ...seed.documents[id].emails.map(({ fields }) => fields.deadline),
      ...seed.documents[id].notes.map(({ fields }) => fields.next_meeting),
    ])
    expect(days.filter((day) => early.test(String(day)))).toEqual([])
  })

  it('gives every archetype the subcategories of its domain, and every archetype to some persona', () => {
    for (const domain of TASTES) {
      const used = new Set(seed.personas.map(({ archetypes }) => archetypes[domain]))
      for (const archetype of seed.preferences[domain]) {
        expect(Object.keys(archetype.subcategories).sort(), archetype.id).toEqual([...SUBCATEGORIES[domain]].sort())
        expect(used, domain).toContain(archetype.id)
      }
    }
  })

  it('has documents with just the fields that are required or optional for their kind', () => {
    for (const kind of DOCUMENT_KINDS) {
      const fields = [...DOCUMENT_FIELDS[kind].required, ...DOCUMENT_FIELDS[kind].optional].sort()
      for (const id of PERSONAS) {
        for (const document of seed.documents[id][kind]) expect(Object.keys(document.fields).sort()).toEqual(fields)
      }
    }
  })
})

describe('the check of the seed data', () => {
  it('sees an item within another of the same archetype, whatever its case and accents', () => {
    const found = findingsOf(({ preferences }) => {
      preferences.travel[0]!.subcategories.regions!.push('GALAPAGOS islands')
    })
    expect(found).toContain('collision travel/nature')
  })

  it('leaves parts of words alone', () => {
    const found = findingsOf(({ preferences }) => {
      preferences.music[4]!.subcategories.genres!.push('midmost')
    })
    expect(found).toEqual([])
  })

  it('sees a repeated task, and a task that names an event of the same persona', () => {
    const found = findingsOf(({ todos, calendar }) => {
      todos.sales_manager.work[0] = todos.sales_manager.personal[0]!
      todos.startup_founder.work[0] = `Prepare the ${calendar.startup_founder.work[0]!.name}`
    })
    expect(found).toEqual(['collision sales_manager', 'collision startup_founder'])
  })

  it('sees one name in two domains of a persona', () => {
    const found = findingsOf(({ preferences }) => {
      preferences.books[4]!.subcategories.already_read_list![0] = 'Blade Runner'
    })
    expect(found).toEqual(['collision software_engineer'])
  })

  it('sees an archetype that is not there and an archetype that is too small', () => {
    const found = findingsOf(({ personas, preferences }) => {
      personas[0]!.archetypes.movies = 'silent_film'
      preferences.books[1]!.subcategories.topics!.length = 10
    })
    expect(found).toEqual(['size books/nonfiction', 'reference academic_researcher'])
  })

  it('sees offsets out of range and small talk about something trackable', () => {
    const found = findingsOf(({ calendar, activities }) => {
      calendar.content_writer.birthdays[2]!.offsets.push(126)
      activities.topics[0]!.topic = 'leaves'
      activities.topics[0]!.reply = 'As in The Cherry Orchard.'
      activities.topics[0]!.followUps[1]!.ask = 'And what did it cost, $5?'
    })
    expect(found).toEqual(['range content_writer/birthdays', 'trackable leaves', 'trackable leaves'])
  })

  it('sees a value of a document that stands in another document of the kind', () => {
    const found = findingsOf(({ documents }) => {
      const [first, second] = documents.financial_analyst.emails
      second!.fields.purpose = `${first!.fields.purpose} again`
    })
    expect(found).toEqual(['collision financial_analyst/emails'])
  })
})
