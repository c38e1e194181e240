import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemTestContext } from '../conformance/fixtures.js'
import { runSystemConformance } from '../conformance.js'
import { hashEmbedder } from '../hash-embedder.js'
import { cuesOf, wantsSeveral, wantsTotal } from './cues.js'
import { mosaic } from './index.js'
import { Mosaic } from './mosaic.js'
import { noteOf } from './note.js'
import type { MosaicOptions } from './options.js'

runSystemConformance({ name: 'mosaic', definition: mosaic })

/** A memory that was told things, a conversation each, with small talk in between. */
async function told(texts: readonly string[], options: Partial<MosaicOptions> = {}): Promise<Mosaic> {
  const memory = new Mosaic({ embed: hashEmbedder(512), ...options })
  for (const [i, text] of texts.entries()) {
    await memory.store({ id: `c${i}`, time: `2026-03-0${i + 1}T09:00:00Z`, turns: [{ role: 'user', text }] })
    const chat = [
      `Row ${i} of the knitting pattern has ${i + 4} purls.`,
      `How does kiln ${i} get hot?`,
      'Bye for today.',
    ]
    const turns = chat.map((said) => ({ role: 'user' as const, text: said }))
    await memory.store({ id: `f${i}`, time: `2026-03-0${i + 1}T12:00:00Z`, turns })
  }
  return memory
}

async function found(memory: Mosaic, text: string, k: number): Promise<string[]> {
  return (await memory.retrieve({ text }, k)).map((one) => one.text)
}

const folder = () => mkdtempSync(join(tmpdir(), 'mosaic-'))

describe('what a statement hangs on', () => {
  const commute = 'My train leaves at 8:10, because my office is in Halton.'
  const chores = ['My violin does squeak a lot.', 'When I leave early, my cat does sulk.']
  const move = 'The firm moved today: Brixley has our office.'

  it('brings what became of it, which shares no word with the question', async () => {
    const said = [commute, ...chores, move]
    expect(await found(await told(said, { chains: false }), 'When does my train leave?', 2)).toEqual([commute, move])
    expect(
      await found(await told(said, { links: false, chains: false }), 'When does my train leave?', 2),
    ).not.toContain(move)
  })

  it('brings what became of what that hangs on', async () => {
    const gym = 'I lift weights at Ironside, since my train leaves at 8:10.'
    const memory = await told([commute, gym, move])
    expect((await found(memory, 'Where do I lift weights?', 3)).toSorted()).toEqual([commute, gym, move].toSorted())
  })

  it('brings nothing that was told before it', async () => {
    const memory = await told([move, ...chores, commute], { chains: false })
    expect(await found(memory, 'When does my train leave?', 2)).not.toContain(move)
  })

  it('is read from conditions and reasons, as far as the clause goes', () => {
    const leans = (text: string) => cuesOf([text]).leans
    expect(leans('If the bridge closes, I will cycle.')).toEqual(['the bridge closes'])
    expect(leans('I cycle because of the closed bridge; it is quicker.')).toEqual(['the closed bridge'])
    expect(leans('I cycle, as the old bridge is closed.')).toEqual(['the old bridge is closed'])
    expect(leans('Once, in the rainy May, I will cycle.')).toEqual(['in the rainy May'.toLowerCase()])
    expect(leans('I cycle if it rains.')).toEqual(['it rains'])
    expect(leans('I cycle to work.')).toEqual([])
    expect(leans('I go because.')).toEqual([])
    expect(leans('I cycle if the bridge is closed.')).toEqual(['the bridge is closed'])
  })

  it('is nothing that has been: no news changes that any more', () => {
    const leans = (text: string) => cuesOf([text]).leans
    for (const text of ['I wept when the bridge closed.', 'I cycle because I lost my car.', 'I cycle since we met.'])
      expect([text, leans(text)]).toEqual([text, []])
  })
})

describe('texts without end', () => {
  it('hang on so many clauses', () => {
    const clauses = (n: number) =>
      cuesOf([Array.from({ length: n }, (_, i) => `if the day ${i} is dry,`).join(' ')]).leans
    expect([clauses(8).length, clauses(9).length]).toEqual([8, 8])
  })
})

describe('news', () => {
  it('are changes, plans and what is called off, but no rules', () => {
    const isNews = (text: string) => cuesOf([text]).isNews
    expect(['I live in Ghent now.', 'We might move.', 'The move was called off.'].map(isNews)).toEqual([
      true,
      true,
      true,
    ])
    expect(['I live in Ghent.', 'If we move, I will cycle now.'].map(isNews)).toEqual([false, false])
    expect(['When I moved, I cried.', 'I will move.'].map(isNews)).toEqual([true, true])
  })
})

describe('chains', () => {
  const chain = ['Toast', 'telegrams', 'spoons', 'marbles', 'lanterns', 'kites', 'whistles']
  const links = chain.slice(1).map((next, i) => `${chain[i]} always bring ${next} up.`)

  it('are followed from fact to fact by what they share', async () => {
    const memory = await told(links)
    expect(await found(memory, 'There is toast again. What happens?', 13)).toEqual(expect.arrayContaining(links))
    const alone = await told(links, { chains: false })
    expect(await found(alone, 'There is toast again. What happens?', 13)).not.toEqual(expect.arrayContaining(links))
  })
})

describe('weights', () => {
  it('can be left out', async () => {
    const said = ['My cello lesson is on Friday evening in Porto.']
    const question = 'Do you know when my cello lesson is?'
    for (const [weights, first] of [
      [true, said[0]],
      [false, 'When is my cello lesson?'],
    ] as const) {
      const memory = await told([...said, 'When is my cello lesson?'], { weights })
      expect((await found(memory, question, 1))[0]).toBe(first)
    }
  })
})

describe('a question about several things', () => {
  it('is known by its words', () => {
    expect(wantsSeveral('Give me an overview of my garden.')).toBe(true)
    expect(wantsSeveral('Where is my garden?')).toBe(false)
    expect(wantsTotal('How often did I water it?')).toBe(true)
    expect(wantsTotal('Where is my garden?')).toBe(false)
  })

  it('goes before all to what was told of its own accord', async () => {
    const telling = (text: string) => noteOf({ id: 'a', text }).isTelling
    expect(telling('My garden has two pear trees.')).toBe(true)
    expect(telling('Could you note that my garden has two pear trees?')).toBe(true)
    for (const text of [
      'By the way: please put down two pears for Friday.',
      'Yes, please keep this: I own two pear trees.',
      'Please swap pears for figs among my fruits.',
      'Log two pears for me, please. What else grows in shade?',
      'Could you add pears to our shopping list?',
      'I build sheds. Once the pear tree falls, I will need one.',
    ])
      expect(telling(text), text).toBe(true)
    for (const text of [
      'Please change the subject.',
      'I own a pear. Could you put it in a poem? Which rhyme fits?',
      'Keep it up with the pears! What comes next?',
      'Quiz me on pears. Three will do.',
      'Next one: Trace how a pear ripens when it is cold.',
      'Put pears and figs side by side, please.',
      'Can you put the main points in one table?',
      'Where is the bug? ```\nif (pears.length) return my.pears\n```',
    ])
      expect(telling(text), text).toBe(false)
    for (const text of ['Is my garden big? It has pears.', 'I would like a garden plan.', 'Name ten pears, please.'])
      expect(telling(text)).toBe(false)
    expect(telling('Assistant: Your garden has two pear trees.')).toBe(false)
    expect(telling('I mow on Fridays, because the garden is small. Is that wise?')).toBe(true)
    const [asked, stated] = ['I have a garden question. Which garden tools last?', 'My garden has two pear trees.']
    const memory = await told([asked, stated])
    expect((await found(memory, 'Where are garden tools for my garden?', 1))[0]).toBe(asked)
    expect((await found(memory, 'Give me an overview of garden tools and my garden.', 1))[0]).toBe(stated)
    const [short, long] = ['Garden tools: $40.', 'I keep my garden gate shut, since deer come down from the hill.']
    expect((await found(await told([short, long]), 'What did all my garden tools cost?', 1))[0]).toBe(short)
  })
})

describe('a request to forget', () => {
  it.each([
    ['Please forget my locker code.', true],
    ['You have my code down. Strike that out.', true],
    ["Don't keep this.", true],
    ['Delete rows from the sheet.', false],
    ['I had to delete my account.', false],
    ["Don't forget to tell me how you like it!", false],
    ['I will never forget what you said.', false],
    ["You can't ever erase such a day.", false],
    ["Don't worry, but please forget my locker code.", true],
    ['Write it down so as not to forget anything, will you?', false],
    ['Before I forget, you should know that I own a kayak.', false],
    ["I'd only forget it myself, thank you.", false],
    ['We removed the shelf, as you said.', false],
    ['I want to remove some lines from my letter, will you help?', false],
    ['Please open my letter, I have something to delete.', false],
    ['I will tell you what has to be removed.', false],
    ['Please sing "Forget me" for you and me.', false],
    ["Please forget 'Delete it all'.", true],
  ])('%s: %s', (text, isForget) => {
    expect(noteOf({ id: 'a', text }).cues.isForget).toBe(isForget)
  })
})

describe('forgetting', () => {
  const secret = 'My locker code is Zanzibar 77.'
  const other = 'I wrote Zanzibar 77 on a card, and my desk is by the window.'
  const request = 'Please forget my locker code.'

  it('takes the value out of everything, and says that something was forgotten', async () => {
    const home = folder()
    const memory = await told([secret, other, 'My desk faces north.', request], { folder: home })
    const dump = await memory.dump()
    expect(JSON.stringify(dump).toLowerCase()).not.toContain('zanzibar')
    expect(readdirSync(home)).toEqual(['notes.jsonl'])
    expect(readFileSync(join(home, 'notes.jsonl'), 'utf8').toLowerCase()).not.toContain('zanzibar')
    expect(await new Mosaic({ embed: hashEmbedder(512), folder: home }).dump()).toEqual(dump)
    expect(dump.find(({ status }) => status === 'tombstone')?.text).toBe(
      'The user asked on 2026-03-04 to forget this: locker code. It was taken out.',
    )
    expect(dump.map(({ text }) => text)).toContain('I wrote [forgotten] on a card, and my desk is by the window.')
    expect((await found(memory, 'What is my locker code?', 3)).join(' ')).not.toMatch(/zanzibar/i)
  })

  it('takes out one statement of several, and the value that the request itself names', async () => {
    const memory = await told([
      `Monday was long. ${secret} I slept well.`,
      'I told you my locker code is Zanzibar 77. I want that erased.',
    ])
    const texts = (await memory.dump()).map(({ text }) => text)
    expect(texts).toContain('Monday was long. I slept well.')
    expect(texts.join(' ')).not.toMatch(/zanzibar/i)
  })

  it('touches nothing when nothing answers to the request, or nobody asks', async () => {
    for (const last of ['Please forget my shoe size.', 'I forget my locker code all the time.', 'Did I forget it?']) {
      const texts = (await (await told([secret, other, last])).dump()).map(({ text }) => text)
      expect(texts).toEqual(expect.arrayContaining([secret, other, last]))
    }
    const kept = await told([secret, request], { forget: false })
    expect((await kept.dump()).map(({ text }) => text)).toEqual(expect.arrayContaining([secret, request]))
  })

  it('follows a request that comes while another is followed', async () => {
    const { embed, ...rest } = hashEmbedder(512)
    const say = (id: string, text: string) => memory.store({ id, time: '2026-03-01', turns: [{ role: 'user', text }] })
    let isLate = true
    const memory = new Mosaic({
      embed: {
        ...rest,
        embed: async (texts) => {
          if (isLate && texts.some((text) => text.includes('taken out'))) {
            isLate = false
            await say('late', 'Please forget my pin.')
          }
          return embed(texts)
        },
      },
    })
    for (const [i, text] of [secret, 'My pin is 4471.', request].entries()) await say(`c${i}`, text)
    const dump = await memory.dump()
    expect(dump.map(({ status }) => status)).toEqual(['tombstone', 'tombstone'])
    expect(JSON.stringify(dump)).not.toMatch(/zanzibar|4471/i)
  })

  it('is tried again when it could not be written', async () => {
    const home = folder()
    const memory = await told([secret, request], { folder: home })
    mkdirSync(join(home, 'notes.jsonl.part'))
    await expect(memory.settle()).rejects.toThrow('EISDIR')
    rmdirSync(join(home, 'notes.jsonl.part'))
    const texts = (await memory.dump()).map(({ text }) => text)
    expect(texts).toContain('The user asked on 2026-03-02 to forget this: locker code. It was taken out.')
    expect(readFileSync(join(home, 'notes.jsonl'), 'utf8')).not.toContain('Zanzibar')
  })

  it('leaves what was told again in a later conversation, whenever it is followed', async () => {
    const settled = await told([secret, request])
    await settled.settle()
    const again = [{ role: 'user' as const, text: 'The card says Zanzibar 77.' }]
    const pending = await told([secret, request])
    for (const memory of [settled, pending]) {
      await memory.store({ id: 'z', time: '2026-04-01', turns: again })
      const dump = await memory.dump()
      expect(dump.filter(({ text }) => text.includes('Zanzibar')).map(({ id }) => id)).toEqual(['z#0'])
    }
  })

  it('takes out what is said to a request', async () => {
    const memory = await told([secret])
    const reply = { role: 'assistant' as const, text: 'Zanzibar 77 is forgotten.' }
    await memory.store({ id: 'z', time: '2026-04-01', turns: [{ role: 'user', text: request }, reply] })
    expect(JSON.stringify(await memory.dump())).not.toMatch(/zanzibar/i)
  })

  it('takes out one of several things, from the file, too', async () => {
    const home = folder()
    const memory = await told(
      ['My crew has Ilse Brandt, Zofia Kral and Bo Lind.', "I'd like Zofia Kral deleted from the crew."],
      { folder: home },
    )
    expect((await memory.dump()).map(({ text }) => text)).toContain('My crew has Ilse Brandt, [forgotten] and Bo Lind.')
    expect(readFileSync(join(home, 'notes.jsonl'), 'utf8')).not.toMatch(/zofia|kral/i)
  })

  it('leaves later statements findable', async () => {
    const memory = await told([secret, request])
    const later = 'My locker code is Madrid 12, and I keep it since my gym moved.'
    await memory.store({ id: 'z', time: '2026-04-01', turns: [{ role: 'user', text: later }] })
    expect(await found(memory, 'What is my locker code?', 2)).toContain(later)
  })
})

describe('a folder', () => {
  const said = ['I bake rye bread on Sundays.', 'My sister lives in Porto, because she studies there.']

  it('has the memory again, and goes on where it stopped', async () => {
    const home = folder()
    const first = await told(said, { folder: home })
    const again = new Mosaic({ embed: hashEmbedder(512), folder: home })
    expect(await again.dump()).toEqual(await first.dump())
    expect(await again.retrieve({ text: 'Where is my sister?' }, 5)).toEqual(
      await first.retrieve({ text: 'Where is my sister?' }, 5),
    )
    const turns = [{ role: 'user' as const, text: 'I bake rye bread on Sundays.' }]
    await again.store({ id: 'c0', time: '2026-03-01T09:00:00Z', turns })
    const ids = (await again.dump()).map(({ id }) => id)
    expect(ids.filter((id) => id.startsWith('c0'))).toEqual(['c0#0', 'c0@2#0'])
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('loses half a conversation that was being written when it was killed, and nothing else', async () => {
    const home = folder()
    const first = await told(said, { folder: home })
    const whole = await first.dump()
    appendFileSync(join(home, 'notes.jsonl'), '[{"memory":{"id":"half","te')
    const again = new Mosaic({ embed: hashEmbedder(512), folder: home })
    expect(await again.dump()).toEqual(whole)
    await again.store({ id: 'new', time: '2026-05-01', turns: [{ role: 'user', text: 'A new day.' }] })
    expect(await new Mosaic({ embed: hashEmbedder(512), folder: home }).dump()).toEqual(await again.dump())
  })

  it('forgets after a kill what was asked to be forgotten before it', async () => {
    const home = folder()
    // Nobody settles: the request is written, and not followed yet.
    await told(['My locker code is Zanzibar 77.', 'Please forget my locker code.'], { folder: home })
    const again = new Mosaic({ embed: hashEmbedder(512), folder: home })
    expect(JSON.stringify(await again.dump())).not.toContain('Zanzibar')
    expect(readFileSync(join(home, 'notes.jsonl'), 'utf8')).not.toContain('Zanzibar')
  })
})

describe('the sources', () => {
  it('hold no four words in a row of any text of the suites', () => {
    const corpora = join(import.meta.dirname, '../../corpora')
    const runs = new Set<string>()
    const files = readdirSync(corpora, { recursive: true, encoding: 'utf8' }).filter((name) => /\.jsonl?$/.test(name))
    for (const name of files) {
      const text = readFileSync(join(corpora, name), 'utf8')
      for (const [, value] of text.matchAll(/"((?:[^"\\]|\\.)*)"/g)) for (const run of runsOf(value!)) runs.add(run)
    }
    expect(runs.size).toBeGreaterThan(10_000)
    for (const name of readdirSync(import.meta.dirname).filter((file) => !/\.(?:test\.ts|bin)$/.test(file)))
      for (const [, value] of readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/["'`]([^"'`\n]*)["'`]/g))
        expect(
          runsOf(value!).filter((run) => runs.has(run)),
          name,
        ).toEqual([])
  })
})

function runsOf(text: string): string[] {
  const found = text.toLowerCase().match(/[a-z']+/g) ?? []
  return found.slice(3).map((_, i) => found.slice(i, i + 4).join(' '))
}

describe('mosaic as a system', () => {
  it('keeps its notes in the folder it is given', async () => {
    const context = systemTestContext()
    const system = await mosaic.create(context, {})
    await system.store({ id: 'a', time: '2026-01-01', turns: [{ role: 'user', text: 'I like figs.' }] })
    expect(readFileSync(join(context.workdir, 'notes.jsonl'), 'utf8')).toContain('I like figs.')
  })

  it.each([
    ['yes', false],
    ['no', true],
  ])('leaves out the parts that it is told to: forget=%s', async (forget, isKept) => {
    const system = await mosaic.create(systemTestContext(), { forget })
    for (const [i, text] of ['My pin is 4471.', 'Please forget my pin.'].entries())
      await system.store({ id: `c${i}`, time: '2026-01-01', turns: [{ role: 'user', text }] })
    expect(JSON.stringify(await system.dump!()).includes('4471')).toBe(isKept)
  })
})
